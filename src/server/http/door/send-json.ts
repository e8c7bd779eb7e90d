import type { ServerResponse } from 'node:http';

/** Sends a small JSON answer, once; does nothing if the caller is gone. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', bytes.length);
  // Refusals and the answers to probes hold only for this moment.
  response.setHeader('Cache-Control', 'no-store');
  response.writeHead(status, headers).end(bytes);
};
