import type { OutboundBody, OutboundReply } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';

const MAX_BYTES = 64 * 1024;

/** An answer that is put together here, whole. */
export const wholeReply = (status: number, body: unknown): OutboundReply =>
  madeReply(status, 'application/json', once(Buffer.from(JSON.stringify(body))), () => undefined);

/** What is no JSON: a sound. */
export const bytesReply = (bytes: Buffer, contentType: string): OutboundReply =>
  madeReply(200, contentType, once(bytes), () => undefined);

/** A stream of events that is put together here; `discard` stops what it is made from. */
export const eventsReply = (pieces: AsyncGenerator<Buffer>, discard: () => void): OutboundReply =>
  madeReply(200, 'text/event-stream', pieces, discard);

const madeReply = (
  status: number,
  contentType: string,
  pieces: AsyncGenerator<Buffer>,
  discard: () => void,
): OutboundReply => {
  const body: OutboundBody = { [Symbol.asyncIterator]: () => pieces, discard };
  return { status, headers: { 'content-type': contentType }, body };
};

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** A small answer's JSON; undefined where it is none, or longer than `maxBytes`. */
export const readJson = async ({ body }: OutboundReply, maxBytes = MAX_BYTES): Promise<unknown> => {
  const bytes = await readAll(body, maxBytes);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};
