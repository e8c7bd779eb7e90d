import { createHash, randomBytes } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';

/** Callers that send forms with a sound, in pieces that are not all in memory. */

export const MIB = 1024 * 1024;
/** Sounds do not become much smaller when they are packed. */
const PIECE = randomBytes(64 * 1024);
export const BOUNDARY = 'upl0ad';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
export const part = (head: string): string => `--upl0ad\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
const MODEL = `${part('name="model"')}m\r\n`;
const FILE = part('name="file"; filename="a.mp3"');

/** The pieces of a form with a sound of `mebibytes`; the model before it or after. */
export function* formPieces(
  mebibytes: number,
  order: 'model-first' | 'model-last',
  model = MODEL,
): Generator<Buffer> {
  const isModelLast = order === 'model-last';
  yield Buffer.from(isModelLast ? FILE : `${model}${FILE}`);
  for (let left = mebibytes * MIB; left > 0; left -= PIECE.length) yield PIECE;
  yield Buffer.from(isModelLast ? `\r\n${model}--upl0ad--\r\n` : '\r\n--upl0ad--\r\n');
}

export const lengthOf = (pieces: Iterable<Buffer>): number =>
  [...pieces].reduce((sum, { length }) => sum + length, 0);

export const sha256 = (pieces: Iterable<Buffer>): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

export interface Target {
  readonly url: string;
  readonly key: string;
}

export const opened = (
  { url, key }: Target,
  headers: Readonly<Record<string, string | number>>,
): ClientRequest =>
  request(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': TYPE, ...headers },
  });

/** Sends the pieces as fast as they are accepted, and returns the answer. */
export const upload = (
  target: Target,
  pieces: Iterable<Buffer>,
  headers: Readonly<Record<string, string | number>> = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = opened(target, headers);
    sent.on('error', reject);
    void answerOf(sent).then(resolve);
    const rest = pieces[Symbol.iterator]();
    const go = (): void => {
      for (let next = rest.next(); next.done !== true; next = rest.next())
        if (!sent.write(next.value)) return void sent.once('drain', go);
      sent.end();
    };
    go();
  });

/** Opens a call with the model first and sends so much of its file; the rest is the test's. */
export const begun = (target: Target, totalBytes: number, sentMebibytes: number): ClientRequest => {
  const sent = opened(target, { 'content-length': totalBytes });
  sent.on('error', () => undefined);
  for (const piece of formPieces(sentMebibytes, 'model-first'))
    if (!piece.includes('--upl0ad--')) sent.write(piece);
  return sent;
};

export const answerOf = (sent: ClientRequest): Promise<{ status: number; body: string }> =>
  new Promise((resolve) => {
    sent.on('response', (response) => {
      const body: Buffer[] = [];
      response.on('data', (piece: Buffer) => body.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(body).toString() }),
      );
    });
  });

export const END = '\r\n--upl0ad--\r\n';
export const late = (name: string, value: string): string => `\r\n${part(`name="${name}"`)}${value}${END}`;
/** The length of a form whose file has so many mebibytes, with something else behind it than nothing. */
export const lengthWith = (mebibytes: number, tail: string): number =>
  lengthOf(formPieces(mebibytes, 'model-first')) - END.length + tail.length;
