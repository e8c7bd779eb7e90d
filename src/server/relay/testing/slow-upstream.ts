import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';

/** An upstream that takes its time, so that calls that come together run beside each other. */
export interface SlowUpstream {
  readonly url: string;
  /** How many calls came to it. */
  readonly served: number;
  close(): void;
}

/**
 * @param afterMs how long each answer takes
 * @param answer what a call with this body is answered: JSON, or the events of a stream
 */
export const startSlowUpstream = async (
  afterMs: number,
  answer: (body: Readonly<Record<string, unknown>>) => string,
): Promise<SlowUpstream> => {
  let served = 0;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      served += 1;
      const text = answer(body as Record<string, unknown>);
      const type = text.startsWith('data: ') ? 'text/event-stream' : 'application/json';
      setTimeout(() => response.writeHead(200, { 'content-type': type }).end(text), afterMs);
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    get served() {
      return served;
    },
    close: () => {
      hangUp(server);
    },
  };
};
