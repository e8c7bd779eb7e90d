import './channels.css';
import { Suspense, useDeferredValue, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { AddButton } from '../../kit/add-button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Skeleton } from '../../kit/states.tsx';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { useDrawerUrl, useUrlState } from '../../lib/browser/url-state.ts';
import { loadChannels } from './channel-calls.ts';
import type { OpenedChannel } from './channel-dialogs.tsx';
import { useChannelColumns } from './channel-columns.tsx';
import { ChannelTools } from './channel-tools.tsx';
import { CHANNELS, type Channel } from './channel.ts';
import { useChannelBatch } from './use-channel-batch.tsx';
import { useChannelFilters } from './use-channel-filters.ts';
import { useChannelMenu } from './use-channel-menu.tsx';
import { useChannelModes } from './use-channel-modes.ts';

const loadDialogs = () => import('./channel-dialogs.tsx');
const ChannelDialogs = late(loadDialogs);
const prepareDrawer = async () => (await loadDialogs()).loadDrawer();
const ChannelDetail = late(withTexts('channel-more', () => import('./channel-detail.tsx')));
const TagTable = late(withTexts('channel-more', () => import('./tags/tag-table.tsx')));
const RoundProgress = late(withTexts('channel-more', () => import('./round-progress.tsx')));

const idOf = (channel: Channel): number => channel.id;
const nameOf = (channel: Channel): string => channel.name;
const expand = (channel: Channel) => (
  <Suspense>
    <ChannelDetail channel={channel} />
  </Suspense>
);

/** The list of channels: their state, health, priority and weight. */
const ChannelsPage = () => {
  const { t } = useTranslation('channels');
  const columns = useChannelColumns();
  const filters = useChannelFilters();
  const edit = useDrawerUrl('edit');
  const [url] = useUrlState();
  const modes = useChannelModes();
  // The press is seen before the other list is drawn.
  const isByTag = useDeferredValue(modes.isByTag);
  const [opened, setOpened] = useState<OpenedChannel>();
  const open = (as: OpenedChannel['as']) => (channel: Channel) => setOpened({ as, channel });
  const batch = useChannelBatch();
  const menu = useChannelMenu({
    onTest: open('test'),
    onKeys: open('keys'),
    onSeen: open('seen'),
    onEvidence: open('evidence'),
    onBill: open('bill'),
  });
  const tools = <ChannelTools modes={modes} />;

  const add = <AddButton label={t('add')} prepare={prepareDrawer} onAdd={() => edit.open('new')} />;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        {add}
      </PageHeader>
      {isByTag ? (
        <Suspense fallback={<Skeleton height={320} />}>
          <TagTable filters={filters} tools={tools} onEdit={edit.open} />
        </Suspense>
      ) : (
        <ResourceTable
          name={CHANNELS}
          label={t('title')}
          columns={columns}
          filters={filters}
          rowId={idOf}
          rowName={nameOf}
          load={loadChannels}
          searchLabel={t('search')}
          tools={tools}
          batch={batch.buttons}
          isBatchOff={!modes.isBatch}
          onEdit={(channel) => edit.open(channel.id)}
          prepareEdit={prepareDrawer}
          rowMenu={menu}
          expand={expand}
          emptyText={t('empty')}
          emptyAction={add}
        />
      )}
      {batch.view}
      <Suspense>
        <RoundProgress />
      </Suspense>
      <Suspense>
        {(edit.id ?? url['explain'] ?? url['keys'] ?? opened) !== undefined && (
          <ChannelDialogs opened={opened} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
    </>
  );
};

export default ChannelsPage;
