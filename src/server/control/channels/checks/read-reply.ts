import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';
import { valuesIn } from '#core/json/bounds.ts';

const REPLY_MAX_BYTES = 8 * 1024 * 1024;

/** A whole reply of an upstream. */
export interface Reply {
  readonly status: number;
  /** The body as JSON, or as text if it is not JSON. */
  readonly body: unknown;
}

/** Takes about ten milliseconds to parse, and is ten times the values of the longest model lists. */
const MOST_VALUES = 100_000;

const bytesOf = async (reply: OutboundReply): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.body) {
    bytes += chunk.length;
    if (bytes > REPLY_MAX_BYTES) throw new AppError('upstream_failed', 'the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Reads a whole reply of at most 8 MiB and masks `secrets`. Throws `upstream_failed` if it has more bytes or values.
 */
export const readReply = async (reply: OutboundReply, secrets?: Secrets): Promise<Reply> => {
  const whole = await bytesOf(reply);
  if (valuesIn(whole, MOST_VALUES) > MOST_VALUES)
    throw new AppError('upstream_failed', 'the answer holds too many values');
  const text = (secrets?.mask(whole) ?? whole).toString();
  return { status: reply.status, body: parsed(text) ?? text };
};

const fetched = async (
  sender: Pick<Sender, 'send'>,
  url: string,
  timeoutMs: number,
): Promise<OutboundReply> => {
  const reply = await sender.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': 'tollgate' },
    headMs: timeoutMs,
    idleMs: timeoutMs,
    wholeMs: timeoutMs,
  });
  if (reply.status === 200) return reply;
  reply.body.discard();
  throw new Error(`status ${String(reply.status)}`);
};

/** Fetches JSON, or text. Throws unless all of it arrives with status 200 within `timeoutMs`. */
export const fetchBody = async (
  sender: Pick<Sender, 'send'>,
  url: string,
  timeoutMs: number,
): Promise<unknown> => {
  return (await readReply(await fetched(sender, url, timeoutMs))).body;
};

/** Like `fetchBody`, for a body too large to parse in one step: returns its bytes, at most 8 MiB. */
export const fetchBytes = async (
  sender: Pick<Sender, 'send'>,
  url: string,
  timeoutMs: number,
): Promise<Buffer> => {
  return bytesOf(await fetched(sender, url, timeoutMs));
};
