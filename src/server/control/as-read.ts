import type { MessageKey } from '#contract/messages.ts';
import { refuse } from './refuse.ts';

/** Calls change the state of what is read, so an attempt may have to read again. */
const TRIES = 20;

/**
 * Does something that depends on a state that was read: whether a key may stay, for example, depends on the address
 * it is sent to. If the state changes in between, reads and decides again. Throws `busy` if it keeps changing.
 * @param attempt returns undefined if the state had changed
 */
export const asRead = async <Result>(
  attempt: () => Promise<Result | undefined>,
  busy: MessageKey,
): Promise<Result> => {
  for (let time = 0; time < TRIES; time += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw refuse(busy);
};
