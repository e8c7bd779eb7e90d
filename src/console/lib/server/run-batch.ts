import { messageOf } from './api-error.ts';

export interface BatchFailure {
  readonly name: string;
  readonly message: string;
}

export interface BatchState {
  readonly done: number;
  readonly failures: readonly BatchFailure[];
}

interface Batch<Item> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly act: (item: Item) => Promise<unknown>;
  /** Called after every item. */
  readonly onStep: (state: BatchState) => void;
  /** Running items finish; no more are started. */
  readonly signal: AbortSignal;
}

/** Calls at a time: fast, but still fair to other users. */
const AT_ONCE = 4;

/** Applies an action to many items, a few at a time. Never throws; the result names the failures. */
export const runBatch = async <Item>({
  items,
  nameOf,
  act,
  onStep,
  signal,
}: Batch<Item>): Promise<BatchState> => {
  let state: BatchState = { done: 0, failures: [] };
  const waiting = items.values();
  const step = (failure: BatchFailure | undefined): void => {
    state = {
      done: state.done + 1,
      failures: failure === undefined ? state.failures : [...state.failures, failure],
    };
    onStep(state);
  };
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted) return;
      const failure = await act(item).then(
        () => undefined,
        (error: unknown) => ({ name: nameOf(item), message: messageOf(error) }),
      );
      step(failure);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return state;
};
