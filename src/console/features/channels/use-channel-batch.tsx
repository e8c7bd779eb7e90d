import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useBatch } from '../../kit/batch-progress.tsx';
import { confirm } from '../../kit/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-bar.tsx';
import { probeChannel, removeChannel, saveStatus } from './channel-calls.ts';
import { CHANNELS, type Channel } from './channel.ts';

const named = { nameOf: (channel: Channel) => `#${channel.id} ${channel.name}`, refresh: CHANNELS };

interface ChannelBatch {
  /** The buttons for the chosen rows. */
  readonly buttons: (rows: readonly Channel[], clear: () => void) => ReactNode;
  /** How far it is. */
  readonly view: ReactNode;
}

/** Enabling, disabling, testing and deleting many channels. */
export const useChannelBatch = (): ChannelBatch => {
  const { t } = useTranslation('channels');
  const batch = useBatch();

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
    clear();
    await batch.run({
      ...named,
      items,
      title: t('batch.deleting'),
      done: t('batch.deleted', { count: items.length }),
      act: removeChannel,
    });
  };
  const after = (clear: () => void, work: Promise<void>): void => {
    clear();
    void work;
  };
  return {
    view: batch.view,
    buttons: (rows, clear) => (
      <>
        <BatchButton onClick={() => after(clear, turn(rows, true))}>{t('batch.enable')}</BatchButton>
        <BatchButton onClick={() => after(clear, turn(rows, false))}>{t('batch.disable')}</BatchButton>
        <BatchButton onClick={() => after(clear, test(rows))}>{t('batch.test')}</BatchButton>
        <BatchButton danger onClick={() => void remove(rows, clear)}>
          {t('batch.delete')}
        </BatchButton>
      </>
    ),
  };
};
