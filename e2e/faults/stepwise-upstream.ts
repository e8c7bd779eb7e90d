import { createServer, type ServerResponse } from 'node:http';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';

interface Pieces {
  readonly pieces: readonly string[];
  readonly cut?: true;
  readonly staysOpen?: true;
  /** Default: those of a stream of events. */
  readonly headers?: Readonly<Record<string, string>>;
}
type Answer = Pieces | Readonly<Record<string, unknown>>;

const isStream = (answer: Answer): answer is Pieces => 'pieces' in answer;

const speak = async (response: ServerResponse, answer: Answer, heard: Promise<void>): Promise<void> => {
  if (!isStream(answer)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
    return;
  }
  response.writeHead(200, answer.headers ?? { 'content-type': 'text/event-stream' });
  const [first = '', ...rest] = answer.pieces;
  response.write(first);
  if (rest.length > 0 || answer.cut === true) await heard;
  for (const piece of rest) response.write(piece);
  if (answer.cut === true) response.destroy();
  else if (answer.staysOpen !== true) response.end();
};

/**
 * An upstream that says `pieces` one after the other: after the first it waits until its caller has heard something.
 * `cut`: the connection then breaks. `staysOpen`: the answer does not end. A whole answer is an object.
 */
export const startStepwiseUpstream = async () => {
  const asked: Readonly<Record<string, unknown>>[] = [];
  let answer: Answer = { pieces: [] };
  let heard = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(parts).toString()) as Readonly<Record<string, unknown>>);
      void speak(response, answer, heard.promise);
    });
  });
  const url = await listening(server);
  return {
    asked,
    addressOf: (format: DialectName): string => `${url}/${format}`,
    /** Sets its answers from now on. */
    say: (next: Answer): void => {
      answer = next;
      heard = Promise.withResolvers<void>();
    },
    /**
     * Reads an answer, and lets the upstream continue once a part of it has arrived. Before that, `sees` gets the text so
     * far with each piece.
     */
    read: async (response: Response, sees?: (text: string) => void): Promise<string> => {
      let text = '';
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        text += decoder.decode(piece as Uint8Array, { stream: true });
        sees?.(text);
        heard.resolve();
      }
      return text;
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
