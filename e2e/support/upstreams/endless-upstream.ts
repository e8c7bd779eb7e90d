import { createServer } from 'node:http';
import { addressOf, hangUp, listening } from '../../../src/server/outbound/testing/local-server.ts';

const EVENT = `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'and so on '.repeat(100) } }],
})}\n\n`;
/** No test reads this much: a gateway that does is buffering everything. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Streams an endless chat from this process, as fast as it is read, and counts the bytes sent. */
export const startEndlessUpstream = async () => {
  let givenBytes = 0;
  const server = createServer((_, response) => {
    const give = (): void => {
      while (!response.destroyed && givenBytes < MOST_BYTES) {
        givenBytes += EVENT.length;
        if (!response.write(EVENT)) return void response.once('drain', give);
      }
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    give();
  });
  await listening(server);
  return {
    url: addressOf(server),
    givenBytes: () => givenBytes,
    stop: (): void => {
      hangUp(server);
    },
  };
};
