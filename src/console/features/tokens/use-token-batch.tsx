import type { ReactNode } from 'react';
import { useBatch } from '../../kit/tables/batch-progress.tsx';
import { copyText } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { removeToken, saveStatus } from './token-calls.ts';
import { keyLines, TOKENS, type Token } from './token.ts';

const named = { nameOf: (token: Token) => token.name, refresh: TOKENS };

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
  const turn = (items: readonly Token[], isOn: boolean): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: isOn ? t('batch.enabling') : t('batch.disabling'),
      done: t(isOn ? 'batch.enabled' : 'batch.disabled', { count: items.length }),
      act: (token) => saveStatus(token, isOn),
    });
  const remove = async (items: readonly Token[], clear: () => void): Promise<void> => {
    const title = t('batch.deleteTitle', { count: items.length });
    if (!(await confirm({ title, text: t('batch.deleteText'), action: t('batch.delete'), danger: true })))
      return;
    clear();
    await batch.run({
      ...named,
      items,
      title: t('batch.deleting'),
      done: t('batch.deleted', { count: items.length }),
      act: removeToken,
    });
  };
  const after = (clear: () => void, work: Promise<void>): void => {
    clear();
    void work;
  };
  return {
    copy,
    view: batch.view,
    buttons: (rows, clear) => (
      <>
        <BatchButton onClick={() => void copy(rows)}>{t('batch.copy')}</BatchButton>
        <BatchButton onClick={() => after(clear, turn(rows, true))}>{t('batch.enable')}</BatchButton>
        <BatchButton onClick={() => after(clear, turn(rows, false))}>{t('batch.disable')}</BatchButton>
        <BatchButton danger onClick={() => void remove(rows, clear)}>
          {t('batch.delete')}
        </BatchButton>
      </>
    ),
  };
};
