// Stands alone: the only place where a response asks for the body before it begins.
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Sends `100 Continue` to a caller that waits with its body (`Expect: 100-continue`) only when the body is first read,
 * which is after its key or session was accepted. A caller that is refused before may or may not send the body, so the next
 * bytes on its connection could be either, and the connection is closed (RFC 9110, 10.1.1).
 */
export const goOnWhenRead = (request: IncomingMessage, response: ServerResponse): void => {
  const staysOpen = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  const read = request._read;
  // After an answer node reads the rest of the body by itself, and no `100 Continue` may follow.
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) {
      response.shouldKeepAlive = staysOpen;
      response.writeContinue();
    }
    read.call(request, size);
  };
};
