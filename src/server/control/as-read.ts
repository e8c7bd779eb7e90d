import type { MessageKey } from '#contract/messages.ts';
import { refuse } from './refuse.ts';

/** What is read changes its state while calls use it; each try reads again what it is about. */
const TRIES = 20;

/**
 * Does what depends on something as it was read: whether a key may stay depends on where it is sent. If that changes in
 * between, it is read and judged again. Throws `busy` if that does not end.
 * @param attempt returns undefined if it was no longer as it was read
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
