import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import { BOUNDARY } from './upload-caller.ts';

/** One form, as far as the upstream has read it. */
export interface Upload {
  readonly path: string;
  /** Both as of a form with the caller's boundary. */
  readonly length: number;
  readonly sha256: string;
  /** Whether the whole announced length arrived. */
  readonly complete: boolean;
}

export interface UploadUpstream {
  readonly url: string;
  readonly uploads: Upload[];
  /** What has come of forms that are not over. */
  comingBytes(): number;
  stop(): Promise<void>;
}

const EVENTS = ['delta', 'done']
  .map((kind) => `data: ${JSON.stringify({ type: `transcript.text.${kind}`, text: 'All is well.' })}\n\n`)
  .join('');
const TEXT = JSON.stringify({ text: 'All is well.', usage: { type: 'duration', seconds: 60 } });
const REFUSAL = JSON.stringify({ error: { message: 'no room for it', type: 'server_error' } });

/**
 * An upstream of transcriptions that keeps nothing of what it reads. Below `/broken` it fails once it has read all, below
 * `/hasty` it refuses before it has read anything, below `/deaf` it neither reads nor answers.
 */
export const startUploadUpstream = async (): Promise<UploadUpstream> => {
  const uploads: Upload[] = [];
  const coming = new Map<IncomingMessage, number>();
  const server = createServer((request, response) => void serve(request, response, uploads, coming));
  server.requestTimeout = 0;
  await listening(server);
  return {
    url: addressOf(server),
    uploads,
    comingBytes: () => coming.values().reduce((sum, bytes) => sum + bytes, 0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/**
 * A form is sent on with a boundary nobody knows before. Gives the pieces as if it were the caller's, what may be the
 * beginning of a boundary with the next piece; without one the rest.
 */
const renamed = (boundary: string): ((piece?: Buffer) => Buffer) => {
  let rest = Buffer.alloc(0);
  return (piece) => {
    const bytes = Buffer.concat([rest, piece ?? Buffer.alloc(0)]);
    const given: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(boundary); at !== -1; at = bytes.indexOf(boundary, from)) {
      given.push(bytes.subarray(from, at), Buffer.from(BOUNDARY));
      from = at + boundary.length;
    }
    const sure = piece === undefined ? bytes.length : Math.max(from, bytes.length - boundary.length + 1);
    given.push(bytes.subarray(from, sure));
    rest = Buffer.from(bytes.subarray(sure));
    return Buffer.concat(given);
  };
};

const serve = async (
  request: IncomingMessage,
  response: ServerResponse,
  uploads: Upload[],
  coming: Map<IncomingMessage, number>,
): Promise<void> => {
  const { url: path = '' } = request;
  if (path.startsWith('/deaf')) return;
  const answer = (status: number, body: string): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  if (path.startsWith('/hasty')) return answer(503, REFUSAL);
  const hash = createHash('sha256');
  const likeTheCallers = renamed(/boundary=([\w-]+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? '');
  let length = 0;
  let hashed = 0;
  const note = (bytes: Buffer): void => {
    hash.update(bytes);
    hashed += bytes.length;
  };
  let end = '';
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      note(likeTheCallers(piece));
      length += piece.length;
      end = (end + piece.toString('latin1')).slice(-200);
      coming.set(request, length);
    }
  } catch {
    // Whoever sent it went away: what came is noted below.
  }
  coming.delete(request);
  note(likeTheCallers());
  uploads.push({ path, length: hashed, sha256: hash.digest('hex'), complete: request.complete });
  if (path.startsWith('/broken')) answer(500, REFUSAL);
  else if (end.includes('name="stream"'))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(EVENTS);
  else answer(200, TEXT);
};
