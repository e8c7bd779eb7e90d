import './batch-progress.css';
import { IconX } from '@tabler/icons-react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { BatchState } from '../../lib/server/run-batch.ts';
import { Button, IconButton } from '../button.tsx';

export interface ShownBatch extends BatchState {
  readonly title: string;
  readonly total: number;
  readonly isRunning: boolean;
}

interface BatchProgressProps {
  readonly shown: ShownBatch;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

/** The progress of a batch, and its failures. */
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

export default BatchProgress;
