import type { WholeAnswer } from './answer.ts';
import type { Answered } from '../stages.ts';
import type { Bill } from './repeat.ts';

/** The text to search for sensitive words; if another thread read the reply, only the word it found. */
const checkedBy = ({ body, far }: WholeAnswer, converted: Buffer | undefined): unknown => {
  if (far !== undefined) return far.word === undefined ? {} : { text: far.word };
  return converted === undefined ? body : JSON.parse(converted.toString());
};

/**
 * Sends a whole reply to the caller once it is charged.
 * @param converted the reply in the caller's format; undefined to send it unchanged
 */
export const giveWhole = async (
  answered: Answered,
  answer: WholeAnswer,
  converted: Buffer | undefined,
  { close }: Pick<Bill, 'close'>,
): Promise<void> => {
  const { call, live, checkReply } = answered;
  const { reply } = call;
  live.wholeReply = answer.body;
  checkReply?.(checkedBy(answer, converted));
  await close();
  const bytes = converted ?? answer.bytes;
  // Some upstreams answer 201; in the caller's format an answer is 200.
  reply.start(converted === undefined ? answer.status : 200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...live.outlet.rateHeaders,
  });
  reply.end(bytes);
};
