import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';

const REPLY_MAX_BYTES = 8 * 1024 * 1024;

/** A whole reply of an upstream. */
export interface Reply {
  readonly status: number;
  /** The body as JSON, or as text if it is not JSON. */
  readonly body: unknown;
}

/** Reads a whole reply of at most 8 MiB and masks `secrets`. Throws `upstream_failed` if it is larger. */
export const readReply = async (reply: OutboundReply, secrets?: Secrets): Promise<Reply> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.body) {
    bytes += chunk.length;
    if (bytes > REPLY_MAX_BYTES) throw new AppError('upstream_failed', 'the answer is too large');
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  const text = (secrets?.mask(whole) ?? whole).toString();
  return { status: reply.status, body: parsed(text) ?? text };
};

/** Fetches JSON, or text. Throws unless all of it arrives with status 200 within `timeoutMs`. */
export const fetchBody = async (
  sender: Pick<Sender, 'send'>,
  url: string,
  timeoutMs: number,
): Promise<unknown> => {
  const reply = await sender.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': 'tollgate' },
    headMs: timeoutMs,
    idleMs: timeoutMs,
    wholeMs: timeoutMs,
  });
  const { status, body } = await readReply(reply);
  if (status !== 200) throw new Error(`status ${String(status)}`);
  return body;
};
