import type { useBatch } from '../../kit/tables/batch-progress.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { probeChannel, saveStatus } from './channel-calls.ts';
import { removeMany } from './channel-work.ts';
import { CHANNELS, type Channel } from './channel.ts';

const named = { nameOf: (channel: Channel) => `#${channel.id} ${channel.name}`, refresh: CHANNELS };

interface BatchButtonsProps {
  readonly rows: readonly Channel[];
  readonly clear: () => void;
  readonly batch: Pick<ReturnType<typeof useBatch>, 'run'>;
  readonly onTag: (rows: readonly Channel[]) => void;
}

/** The actions for the selected channels. */
const BatchButtons = ({ rows, clear, batch, onTag }: BatchButtonsProps) => {
  const { t } = useTranslation('channel-more');
  const removeAll = useAction({ run: removeMany, refresh: [CHANNELS] });

  const turn = (items: readonly Channel[], to: 'on' | 'off'): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: to === 'on' ? t('batch.enabling') : t('batch.disabling'),
      done: t(to === 'on' ? 'batch.enabled' : 'batch.disabled', { count: items.length }),
      act: (channel) => saveStatus(channel, to),
    });
  const test = (items: readonly Channel[]): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: t('batch.testing'),
      done: t('batch.tested', { count: items.length }),
      act: (channel) => probeChannel(channel.id, ''),
    });
  const remove = async (items: readonly Channel[]): Promise<void> => {
    const title = t('batch.deleteTitle', { count: items.length });
    if (!(await confirm({ title, text: t('batch.deleteText'), action: t('batch.delete'), danger: true })))
      return;
    // Not in the callbacks of `mutate`, because the buttons unmount when the rows leave the list.
    const count = await removeAll.mutateAsync(items).catch(() => undefined);
    if (count === undefined) return;
    clear();
    toast('ok', t('batch.deleted', { count }));
  };
  const after = (work: Promise<void>): void => {
    clear();
    void work;
  };
  return (
    <>
      <BatchButton onClick={() => after(turn(rows, 'on'))}>{t('batch.enable')}</BatchButton>
      <BatchButton onClick={() => after(turn(rows, 'off'))}>{t('batch.disable')}</BatchButton>
      <BatchButton onClick={() => after(test(rows))}>{t('batch.test')}</BatchButton>
      <BatchButton onClick={() => onTag(rows)}>{t('batch.tag')}</BatchButton>
      <BatchButton danger onClick={() => void remove(rows)}>
        {t('batch.delete')}
      </BatchButton>
    </>
  );
};

export default BatchButtons;
