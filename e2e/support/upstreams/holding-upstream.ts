import { createServer, type ServerResponse } from 'node:http';
import { addressOf, listening } from '../../../src/server/outbound/testing/local-server.ts';

const REPLY = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

/** Accepts chats in this process, and answers none of them before it is told to. */
export const startHoldingUpstream = async () => {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => held.push(response));
  });
  await listening(server);
  return {
    url: addressOf(server),
    held: (): number => held.length,
    answerAll: (): void => {
      for (const response of held.splice(0))
        response.writeHead(200, { 'content-type': 'application/json' }).end(REPLY);
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
