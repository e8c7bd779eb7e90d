import { late } from '../late.tsx';
import type { ShownBatch } from './batch-view.tsx';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { queryClient } from '../../lib/server/query.ts';
import type { BatchState } from '../../lib/server/run-batch.ts';
import { t } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';

// Loaded late: it shows only once an action on chosen rows has begun.
const BatchProgress = late(() => import('./batch-view.tsx'));

/** Nothing is begun that cannot be loaded: without a network, or after an update of the site. */
const loadRun = () => import('../../lib/server/run-batch.ts').catch(() => ({ runBatch: undefined }));

interface BatchJob<Item> {
  /** "Disabling channels" */
  readonly title: string;
  /** The toast after complete success. */
  readonly done: string;
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly act: (item: Item) => Promise<unknown>;
  /** The list to reload afterwards. */
  readonly refresh: string;
}

/** Runs an action on many rows and shows its progress; render `view` in the page. */
export const useBatch = (): { run: <Item>(job: BatchJob<Item>) => Promise<void>; view: ReactNode } => {
  const [shown, setShown] = useState<ShownBatch>();
  const abort = useRef<AbortController>(null);

  const run = async <Item,>({ title, done, items, nameOf, act, refresh }: BatchJob<Item>): Promise<void> => {
    const { runBatch } = await loadRun();
    if (runBatch === undefined) return toast('bad', t('error.pageMissing'));
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    const show = (state: BatchState & Pick<ShownBatch, 'isRunning'>): void => {
      if (abort.current === own) setShown({ ...state, title, total: items.length });
    };
    show({ done: 0, failures: [], isRunning: true });
    const end = await runBatch({
      items,
      nameOf,
      act,
      signal: own.signal,
      onStep: (state) => show({ ...state, isRunning: true }),
    });
    await queryClient.invalidateQueries({ queryKey: [refresh] });
    if (end.failures.length > 0) return show({ ...end, isRunning: false });
    if (abort.current === own) setShown(undefined);
    if (!own.signal.aborted) toast('ok', done);
  };
  const view = shown !== undefined && (
    <Suspense>
      <BatchProgress
        shown={shown}
        onStop={() => abort.current?.abort()}
        onClose={() => setShown(undefined)}
      />
    </Suspense>
  );
  return { run, view };
};
