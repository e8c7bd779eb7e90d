import './channels.css';
import { IconPlus, IconSortDescendingNumbers } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { queryClient } from '../../lib/query.ts';
import { store } from '../../lib/stored.ts';
import { useDrawerUrl } from '../../lib/url-state.ts';
import { ID_SORT_KEY, isIdSorted, loadChannels } from './channel-calls.ts';
import { useChannelColumns } from './channel-columns.tsx';
import { ChannelDetail } from './channel-detail.tsx';
import { CHANNELS, type Channel } from './channel.ts';
import { useChannelBatch } from './use-channel-batch.tsx';
import { useChannelFilters } from './use-channel-filters.ts';
import { useChannelMenu } from './use-channel-menu.tsx';

const loadDrawer = () => import('./channel-drawer.tsx');
const ChannelDrawer = lazy(loadDrawer);
const TestDialog = lazy(() => import('./test-dialog.tsx'));

const idOf = (channel: Channel): number => channel.id;
const nameOf = (channel: Channel): string => channel.name;
const expand = (channel: Channel) => <ChannelDetail channel={channel} />;

/** The upstreams: what they are, whether they work, how calls are shared among them. */
const ChannelsPage = () => {
  const { t } = useTranslation('channels');
  const columns = useChannelColumns();
  const filters = useChannelFilters();
  const edit = useDrawerUrl('edit');
  const copy = useDrawerUrl('copy');
  const [tested, setTested] = useState<Channel>();
  const batch = useChannelBatch();
  const menu = useChannelMenu({ onTest: setTested, onCopy: (channel) => copy.open(channel.id) });

  const add = (
    <Button
      variant="primary"
      icon={<IconPlus size={16} />}
      onPointerEnter={() => void loadDrawer()}
      onClick={() => edit.open('new')}
    >
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        {add}
      </PageHeader>
      <ResourceTable
        name={CHANNELS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={loadChannels}
        searchLabel={t('search')}
        tools={<IdSort />}
        batch={batch.buttons}
        onEdit={(channel) => edit.open(channel.id)}
        rowMenu={menu}
        expand={expand}
        emptyText={t('empty')}
        emptyAction={add}
      />
      {batch.view}
      <Suspense>
        {edit.id !== undefined && (
          <ChannelDrawer key={`edit ${edit.id}`} from={edit.id} onClose={edit.close} />
        )}
        {typeof copy.id === 'number' && (
          <ChannelDrawer key={`copy ${copy.id}`} from={copy.id} isCopy onClose={copy.close} />
        )}
        {tested !== undefined && <TestDialog channel={tested} onClose={() => setTested(undefined)} />}
      </Suspense>
    </>
  );
};

/** Newest first instead of by priority; kept for the next visit. */
const IdSort = () => {
  const { t } = useTranslation('channels');
  const [isOn, setOn] = useState(isIdSorted);
  const turn = (): void => {
    store(ID_SORT_KEY, String(!isOn));
    setOn(!isOn);
    void queryClient.invalidateQueries({ queryKey: [CHANNELS] });
  };
  return (
    <IconButton label={t('idSort')} pressed={isOn} onClick={turn}>
      <IconSortDescendingNumbers size={17} />
    </IconButton>
  );
};

export default ChannelsPage;
