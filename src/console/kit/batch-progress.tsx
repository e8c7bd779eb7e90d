import './batch-progress.css';
import { IconX } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../lib/i18n.ts';
import { queryClient } from '../lib/query.ts';
import { runBatch, type BatchState } from '../lib/run-batch.ts';
import { toast } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';

interface BatchJob<Item> {
  /** "Disabling channels" */
  readonly title: string;
  /** Told in a toast when everything worked. */
  readonly done: string;
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly act: (item: Item) => Promise<unknown>;
  /** The list that is read again afterwards. */
  readonly refresh: string;
}

interface Shown extends BatchState {
  readonly title: string;
  readonly total: number;
  readonly isRunning: boolean;
}

/** Runs an action on many rows with its progress on the screen; put `view` into the page. */
export const useBatch = (): { run: <Item>(job: BatchJob<Item>) => Promise<void>; view: ReactNode } => {
  const [shown, setShown] = useState<Shown>();
  const abort = useRef<AbortController>(null);

  const run = async <Item,>({ title, done, items, nameOf, act, refresh }: BatchJob<Item>): Promise<void> => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    const show = (state: BatchState, isRunning: boolean): void => {
      if (abort.current === own) setShown({ ...state, title, total: items.length, isRunning });
    };
    show({ done: 0, failures: [] }, true);
    const end = await runBatch({
      items,
      nameOf,
      act,
      signal: own.signal,
      onStep: (state) => show(state, true),
    });
    await queryClient.invalidateQueries({ queryKey: [refresh] });
    if (end.failures.length > 0) return show(end, false);
    if (abort.current === own) setShown(undefined);
    if (!own.signal.aborted) toast('ok', done);
  };
  const view = shown !== undefined && (
    <BatchProgress shown={shown} onStop={() => abort.current?.abort()} onClose={() => setShown(undefined)} />
  );
  return { run, view };
};

interface BatchProgressProps {
  readonly shown: Shown;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

const BatchProgress = ({ shown, onStop, onClose }: BatchProgressProps) => {
  const { t } = useTranslation();
  const { title, done, total, failures, isRunning } = shown;
  return createPortal(
    <section className="batch-progress" aria-label={title}>
      <div className="batch-progress-head">
        <span className="truncate">{title}</span>
        <span className="number meta">{t('batch.progress', { done, total })}</span>
        {isRunning ? (
          <Button size="small" onClick={onStop}>
            {t('batch.stop')}
          </Button>
        ) : (
          <IconButton label={t('action.close')} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
        )}
      </div>
      <progress className="batch-progress-bar" value={done} max={total} aria-label={title} />
      {failures.length > 0 && (
        <div role="alert">
          <p className="tone-bad">{t('batch.failed', { count: failures.length })}</p>
          <ul
            className="batch-failures"
            tabIndex={0}
            aria-label={t('batch.failed', { count: failures.length })}
          >
            {failures.map((failure, at) => (
              <li key={at}>
                <b>{failure.name}</b> {failure.message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>,
    document.body,
  );
};
