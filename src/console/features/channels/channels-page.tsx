import './channels.css';
import { lazy, Suspense, useState } from 'react';
import { useTranslation, withTexts } from '../../lib/i18n.ts';
import { AddButton } from '../../kit/add-button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { useDrawerUrl, useUrlState } from '../../lib/url-state.ts';
import { loadChannels } from './channel-calls.ts';
import { useChannelColumns } from './channel-columns.tsx';
import { ChannelTools } from './channel-tools.tsx';
import { CHANNELS, type Channel } from './channel.ts';
import { useChannelBatch } from './use-channel-batch.tsx';
import { useChannelFilters } from './use-channel-filters.ts';
import { useChannelMenu } from './use-channel-menu.tsx';
import { useChannelModes } from './use-channel-modes.ts';

const loadDrawer = withTexts('channel-more', () => import('./channel-drawer.tsx'));
const ChannelDrawer = lazy(loadDrawer);
const SightingsDialog = lazy(withTexts('channel-more', () => import('./sightings-dialog.tsx')));
const EvidenceDialog = lazy(withTexts('channel-evidence', () => import('./evidence-dialog.tsx')));
const KeysDialog = lazy(withTexts('channel-keys', () => import('./keys/keys-dialog.tsx')));
const TestDialog = lazy(withTexts('channel-more', () => import('./test-dialog.tsx')));
const ChannelDetail = lazy(withTexts('channel-more', () => import('./channel-detail.tsx')));
const ExplainDialog = lazy(withTexts('channel-routing', () => import('./explain-dialog.tsx')));
const TagTable = lazy(withTexts('channel-more', () => import('./tag-table.tsx')));
const RoundProgress = lazy(withTexts('channel-more', () => import('./round-progress.tsx')));

const idOf = (channel: Channel): number => channel.id;
const nameOf = (channel: Channel): string => channel.name;
const expand = (channel: Channel) => (
  <Suspense>
    <ChannelDetail channel={channel} />
  </Suspense>
);

/** What the dialog that explains a call has in the address. */
const NOTHING_ASKED = Object.fromEntries(
  ['explain', 'user', 'token', 'of', 'in', 'format', 'prompt', 'answer'].map((name) => [name, undefined]),
);

/** The list of channels: their state, health, priority and weight. */
const ChannelsPage = () => {
  const { t } = useTranslation('channels');
  const columns = useChannelColumns();
  const filters = useChannelFilters();
  const edit = useDrawerUrl('edit');
  const [url, patchUrl] = useUrlState();
  const closeExplain = (): void => patchUrl(NOTHING_ASKED);
  const modes = useChannelModes();
  const [judged, setJudged] = useState<Channel>();
  const [seen, setSeen] = useState<Channel>();
  const [tested, setTested] = useState<Channel>();
  const [opened, setOpened] = useState<Channel>();
  const batch = useChannelBatch();
  const menu = useChannelMenu({
    onTest: setTested,
    onKeys: setOpened,
    onSeen: setSeen,
    onEvidence: setJudged,
  });
  const tools = <ChannelTools modes={modes} />;

  const add = <AddButton label={t('add')} prepare={loadDrawer} onAdd={() => edit.open('new')} />;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        {add}
      </PageHeader>
      {modes.isByTag ? (
        <Suspense>
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
          {...(modes.isBatch ? { batch: batch.buttons } : {})}
          onEdit={(channel) => edit.open(channel.id)}
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
        {edit.id !== undefined && (
          <ChannelDrawer key={`edit ${edit.id}`} from={edit.id} onClose={edit.close} />
        )}
        {judged !== undefined && <EvidenceDialog channel={judged} onClose={() => setJudged(undefined)} />}
        {seen !== undefined && <SightingsDialog channel={seen} onClose={() => setSeen(undefined)} />}
        {url['explain'] !== undefined && <ExplainDialog from={url} onClose={closeExplain} />}
        {opened !== undefined && <KeysDialog channel={opened} onClose={() => setOpened(undefined)} />}
        {tested !== undefined && <TestDialog channel={tested} onClose={() => setTested(undefined)} />}
      </Suspense>
    </>
  );
};

export default ChannelsPage;
