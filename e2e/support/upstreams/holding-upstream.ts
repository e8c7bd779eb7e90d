import { createServer, type ServerResponse } from 'node:http';
import { addressOf, listening } from '../../../src/server/outbound/testing/local-server.ts';
import { PLAIN_ANSWER } from '../../../src/server/relay/testing/plain-answer.ts';

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
        response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN_ANSWER);
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
