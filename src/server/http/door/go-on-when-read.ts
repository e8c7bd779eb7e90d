// Stands alone: the one place where a response says that it goes on before it begins.
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Tells a caller that waits with its body (`Expect: 100-continue`) to send it when somebody begins to read it: by then its
 * key or session was believed. One that is refused before may send no body at all, so that what follows on its connection
 * could be either, and it is closed (RFC 9110, 10.1.1).
 */
export const goOnWhenRead = (request: IncomingMessage, response: ServerResponse): void => {
  const staysOpen = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  const read = request._read;
  // Node reads on by itself once an answer is sent.
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) {
      response.shouldKeepAlive = staysOpen;
      response.writeContinue();
    }
    read.call(request, size);
  };
};
