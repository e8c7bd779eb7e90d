import type { Item, Message } from './talk/conversation.ts';

export type Mark = 'fastest' | 'cheapest';

const lastReply = (items: readonly Item[]): Message | undefined => {
  const last = items.at(-1);
  return last?.kind === 'message' &&
    last.role === 'assistant' &&
    last.status === 'complete' &&
    last.cut === ''
    ? last
    : undefined;
};

/** The index of the smallest number; undefined if a number is unknown or the smallest is not unique. */
const leastOf = (numbers: readonly (number | undefined)[]): number | undefined => {
  const known = numbers.filter((number) => number !== undefined);
  if (known.length < 2 || known.length < numbers.length) return undefined;
  const least = Math.min(...known);
  return known.filter((number) => number === least).length === 1 ? known.indexOf(least) : undefined;
};

/** What each lane's last answer is best at, once all are whole and measured. */
export const bestLanes = (lanes: readonly (readonly Item[])[]): readonly (readonly Mark[])[] => {
  const replies = lanes.map(lastReply);
  const fastest = leastOf(replies.map((reply) => reply?.meter.totalMs));
  const cheapest = leastOf(replies.map((reply) => reply?.meter.quotaUnits));
  return lanes.map((_, at) => [
    ...(at === fastest ? (['fastest'] as const) : []),
    ...(at === cheapest ? (['cheapest'] as const) : []),
  ]);
};
