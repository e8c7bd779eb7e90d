import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useBatch } from '../../kit/batch-progress.tsx';
import { confirm } from '../../kit/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-bar.tsx';
import { useAction } from '../../lib/query.ts';
import { toast } from '../../lib/toasts.ts';
import { probeChannel, saveStatus } from './channel-calls.ts';
import { removeMany } from './channel-work.ts';
import { CHANNELS, type Channel } from './channel.ts';

const TagDialog = lazy(() => import('./tag-dialog.tsx'));

const named = { nameOf: (channel: Channel) => `#${channel.id} ${channel.name}`, refresh: CHANNELS };

interface ChannelBatch {
  /** The buttons for the chosen rows. */
  readonly buttons: (rows: readonly Channel[], clear: () => void) => ReactNode;
  /** How far it is. */
  readonly view: ReactNode;
}

/** Enabling, disabling, testing, tagging and deleting many channels. */
export const useChannelBatch = (): ChannelBatch => {
  const { t } = useTranslation('channels');
  const batch = useBatch();
  const [tagged, setTagged] = useState<readonly Channel[]>();
  const removeAll = useAction({ run: removeMany, refresh: [CHANNELS] });

  const turn = (items: readonly Channel[], isOn: boolean): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: isOn ? t('batch.enabling') : t('batch.disabling'),
      done: t(isOn ? 'batch.enabled' : 'batch.disabled', { count: items.length }),
      act: (channel) => saveStatus(channel, isOn),
    });
  const test = (items: readonly Channel[]): Promise<void> =>
    batch.run({
      ...named,
      items,
      title: t('batch.testing'),
      done: t('batch.tested', { count: items.length }),
      act: (channel) => probeChannel(channel.id, ''),
    });
  const remove = async (items: readonly Channel[], clear: () => void): Promise<void> => {
    const title = t('batch.deleteTitle', { count: items.length });
    if (!(await confirm({ title, text: t('batch.deleteText'), action: t('batch.delete'), danger: true })))
      return;
    removeAll.mutate(items, {
      onSuccess: (count) => {
        clear();
        toast('ok', t('batch.deleted', { count }));
      },
    });
  };
  const after = (clear: () => void, work: Promise<void>): void => {
    clear();
    void work;
  };
  return {
    view: (
      <>
        {batch.view}
        <Suspense>
          {tagged !== undefined && <TagDialog channels={tagged} onClose={() => setTagged(undefined)} />}
        </Suspense>
      </>
    ),
    buttons: (rows, clear) => (
      <>
        <BatchButton onClick={() => after(clear, turn(rows, true))}>{t('batch.enable')}</BatchButton>
        <BatchButton onClick={() => after(clear, turn(rows, false))}>{t('batch.disable')}</BatchButton>
        <BatchButton onClick={() => after(clear, test(rows))}>{t('batch.test')}</BatchButton>
        <BatchButton onClick={() => setTagged(rows)}>{t('batch.tag')}</BatchButton>
        <BatchButton danger onClick={() => void remove(rows, clear)}>
          {t('batch.delete')}
        </BatchButton>
      </>
    ),
  };
};
