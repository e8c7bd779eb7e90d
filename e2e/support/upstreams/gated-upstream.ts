import { createServer, type ServerResponse } from 'node:http';
import { listening } from '../../../src/server/outbound/testing/local-server.ts';

const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;
const said = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });

const CODE = Array.from({ length: 40 }, (_, at) => `const line${String(at)} = ${String(at)};\n`);
const FIRST_HALF = said(`Some code:\n\n\`\`\`ts\n${CODE.slice(0, 20).join('')}`);
const SECOND_HALF = `${said(`${CODE.slice(20).join('')}\`\`\`\n`)}${event({
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 400, total_tokens: 1400 },
})}data: [DONE]\n\n`;

/**
 * An upstream of streams that says nothing, then the first half of an answer with much code, then the second half: each when
 * it is told to, so that a test can look in between however long that takes.
 */
export const startGatedUpstream = async () => {
  const waiting: (() => void)[] = [];
  let allowed = 0;
  const turn = async (): Promise<void> => {
    if (allowed === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    else allowed -= 1;
  };
  const speak = async (response: ServerResponse): Promise<void> => {
    await turn();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST_HALF);
    await turn();
    response.end(SECOND_HALF);
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => void speak(response));
  });
  const url = await listening(server);
  return {
    url,
    /** Lets it send the next part, also before it is asked. */
    goOn: (): void => {
      const next = waiting.shift();
      if (next === undefined) allowed += 1;
      else next();
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
