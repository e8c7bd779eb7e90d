import { Suspense, type ReactNode } from 'react';
import { late } from '../../kit/late.tsx';
import { useBatch } from '../../kit/tables/batch-progress.tsx';
import { copyText } from '../../kit/copy.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { keyLines, type Token } from './token.ts';

const BatchButtons = late(() => import('./batch-buttons.tsx'));

interface TokenBatch {
  readonly copy: (tokens: readonly Token[]) => Promise<void>;
  /** The buttons for the chosen rows. */
  readonly buttons: (rows: readonly Token[], clear: () => void) => ReactNode;
  /** The progress. */
  readonly view: ReactNode;
}

/** Copying, enabling, disabling and deleting many tokens. */
export const useTokenBatch = (): TokenBatch => {
  const { t } = useTranslation('tokens');
  const batch = useBatch();
  const copy = async (tokens: readonly Token[]): Promise<void> => {
    if (tokens.length === 0) return toast('bad', t('batch.needed'));
    if (await copyText(keyLines(tokens))) toast('ok', t('batch.copied', { count: tokens.length }));
  };
  return {
    copy,
    view: batch.view,
    buttons: (rows, clear) => (
      <Suspense>
        <BatchButtons rows={rows} clear={clear} batch={batch} onCopy={copy} />
      </Suspense>
    ),
  };
};
