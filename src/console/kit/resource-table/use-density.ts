import { readStored, store } from '../../lib/browser/stored.ts';
import { signal, useSignal } from '../../lib/browser/signal.ts';

export interface DensityChoice {
  readonly isCompact: boolean;
  readonly turn: () => void;
}

const KEY = 'density';

const compact = signal(readStored(KEY) === 'compact');

const turn = (): void => {
  compact.set(!compact.get());
  store(KEY, compact.get() ? 'compact' : undefined);
};

/** Whether rows have one line; for all lists, stored on this device. */
export const useDensity = (): DensityChoice => ({ isCompact: useSignal(compact), turn });
