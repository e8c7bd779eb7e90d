import { parsed } from '#contract/json-text.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';

const MAX_BYTES = 64 * 1024;

/** A whole JSON reply that we build ourselves. */
export const wholeReply = (status: number, body: unknown): OutboundReply =>
  syntheticReply(status, 'application/json', once(Buffer.from(JSON.stringify(body))), () => undefined);

/** A whole reply that is not JSON, such as audio. */
export const bytesReply = (bytes: Buffer, contentType: string): OutboundReply =>
  syntheticReply(200, contentType, once(bytes), () => undefined);

/** An event stream that we build ourselves; `discard` stops its source. */
export const eventsReply = (pieces: AsyncGenerator<Buffer>, discard: () => void): OutboundReply =>
  syntheticReply(200, 'text/event-stream', pieces, discard);

const syntheticReply = (
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

/** The JSON of a small reply; undefined where it is not JSON or longer than `maxBytes`. */
export const readJson = async ({ body }: OutboundReply, maxBytes = MAX_BYTES): Promise<unknown> => {
  const bytes = await readAll(body, maxBytes);
  return bytes === undefined ? undefined : parsed(bytes.toString());
};
