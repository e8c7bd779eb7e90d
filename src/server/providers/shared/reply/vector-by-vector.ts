import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf } from '#core/json/fields.ts';
import { readJson, wholeReply } from './synthetic-reply.ts';

const MOST_AT_A_TIME = 256;
const SIDE_BY_SIDE = 8;
const MAX_VECTOR_BYTES = 1024 * 1024;

/** Throws `invalid_request` for more inputs than are asked for one by one. */
export const assertFew = (inputs: readonly unknown[]): void => {
  if (inputs.length <= MOST_AT_A_TIME) return;
  const message = `input: this model embeds at most ${String(MOST_AT_A_TIME)} inputs at a time`;
  throw new AppError('invalid_request', message, { param: 'input' });
};

/** How the answers to several requests become one. */
interface Joined {
  /** The upstream's own reply, had it answered all at once. */
  readonly reply: (answers: readonly Fields[]) => Fields;
  /** OpenAI's list of it, for those that have come if others have not. Default: the reply. */
  readonly list?: (answers: readonly Fields[]) => object;
}

/**
 * Asks for vectors of which a request makes one, a few at a time; the first refusal becomes the reply. The vectors that
 * came beside it are paid.
 */
export const vectorByVector = async (
  request: OutboundRequest,
  tools: AuthorizeTools,
  bodies: readonly Fields[],
  { reply: joined, list = joined }: Joined,
): Promise<OutboundReply> => {
  const answers: Fields[] = [];
  const refusals: OutboundReply[] = [];
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let index = next++; index < bodies.length; index = next++) {
      const asked = { ...request, body: JSON.stringify(bodies[index]) };
      const reply = await tools.send(asked, tools.signal);
      if (reply.status >= 200 && reply.status < 300) {
        answers[index] = fieldsOf(await readJson(reply, MAX_VECTOR_BYTES));
      } else {
        next = bodies.length;
        refusals.push(reply);
      }
    }
  };
  const stopAll = (thrown: unknown): never => {
    next = bodies.length;
    throw thrown;
  };
  // What still runs beside a failure is waited for, because its vectors are paid too.
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(SIDE_BY_SIDE, bodies.length) }, () => askOn().catch(stopAll)),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  const refusal = failure === undefined ? refusals.shift() : undefined;
  for (const { body: unread } of refusals) unread.discard();
  const come = Object.values(answers);
  if (come.length < bodies.length && come.length > 0) tools.noteWork?.(list(come));
  if (failure !== undefined) throw failure.reason;
  return refusal ?? wholeReply(200, joined(answers));
};
