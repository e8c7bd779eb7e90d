import type { useBatch } from '../../kit/tables/batch-progress.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { removeToken, saveStatus } from './token-calls.ts';
import { TOKENS, type Token } from './token.ts';

const named = { nameOf: (token: Token) => token.name, refresh: TOKENS };

interface BatchButtonsProps {
  readonly rows: readonly Token[];
  readonly clear: () => void;
  readonly batch: Pick<ReturnType<typeof useBatch>, 'run'>;
  readonly onCopy: (rows: readonly Token[]) => Promise<void>;
}

/** The actions for the chosen tokens. */
const BatchButtons = ({ rows, clear, batch, onCopy }: BatchButtonsProps) => {
  const { t } = useTranslation('tokens');
  const turn = (items: readonly Token[], to: 'on' | 'off'): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: to === 'on' ? t('batch.enabling') : t('batch.disabling'),
      done: t(to === 'on' ? 'batch.enabled' : 'batch.disabled', { count: items.length }),
      act: (token) => saveStatus(token, to),
    });
  const remove = async (items: readonly Token[]): Promise<void> => {
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
  const after = (work: Promise<void>): void => {
    clear();
    void work;
  };
  return (
    <>
      <BatchButton onClick={() => void onCopy(rows)}>{t('batch.copy')}</BatchButton>
      <BatchButton onClick={() => after(turn(rows, 'on'))}>{t('batch.enable')}</BatchButton>
      <BatchButton onClick={() => after(turn(rows, 'off'))}>{t('batch.disable')}</BatchButton>
      <BatchButton danger onClick={() => void remove(rows)}>
        {t('batch.delete')}
      </BatchButton>
    </>
  );
};

export default BatchButtons;
