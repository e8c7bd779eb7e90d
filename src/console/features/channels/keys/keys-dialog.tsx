import './keys.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { SearchInput } from '../../../kit/search-input.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { CHANNELS, type Channel } from '../channel.ts';
import {
  CHANNEL_KEYS,
  chooseMode,
  KEYS_ON_A_PAGE,
  loadKeys,
  type KeyPage,
  type KeyStatus,
  type PoolMode,
} from './key-calls.ts';
import { KeyRound } from './key-round.tsx';
import { KeyTable } from './key-table.tsx';
import { PasteKeys } from './paste-keys.tsx';
import { ShownKeys } from './shown-keys.tsx';

const STATUSES = ['enabled', 'cooling', 'spent', 'revoked', 'off'] as const satisfies readonly KeyStatus[];
const MODES = ['in_turn', 'random', 'least_used'] as const satisfies readonly PoolMode[];

interface KeysDialogProps {
  readonly channel: Pick<Channel, 'id' | 'name'>;
  readonly isInAddress?: boolean;
  readonly onClose: () => void;
}

/** The keys of a channel: the state of each, how the next is chosen, and a box to paste more. */
const KeysDialog = ({ channel, isInAddress = false, onClose }: KeysDialogProps) => {
  const { t } = useTranslation('channel-keys');
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<KeyStatus>();
  const [keyword, setKeyword] = useState('');
  const [pasted, setPasted] = useState('');
  const view = { page, status, keyword: keyword.trim() };
  const query = useQuery({
    queryKey: [CHANNEL_KEYS, channel.id, view],
    queryFn: ({ signal }) => loadKeys(channel.id, view, signal),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const { data } = query;
  const last = lastPage(data);
  // Leaves the last page when its keys have been deleted.
  if (data !== undefined && !query.isPlaceholderData && page > last) setPage(last);
  const all = data === undefined ? 0 : Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  return (
    <Dialog
      title={t('title', { name: channel.name })}
      width={980}
      onClose={onClose}
      isInAddress={isInAddress}
    >
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={120} width="100%" />}
      {data !== undefined && all === 0 && <p className="meta keys-about">{t('single')}</p>}
      {data !== undefined && all > 0 && (
        <>
          <div className="keys-bar">
            <Mode channelId={channel.id} mode={data.mode} />
            <KeyRound channelId={channel.id} />
          </div>
          <div className="keys-bar">
            <Segmented
              label={t('state')}
              value={status ?? 'all'}
              options={[
                { value: 'all', label: t('all'), count: all },
                ...STATUSES.filter((one) => data.counts[one] > 0 || one === status).map((one) => ({
                  value: one,
                  label: t(`status.${one}`),
                  count: data.counts[one],
                })),
              ]}
              onChange={(next) => {
                setPage(1);
                setStatus(STATUSES.find((one) => one === next));
              }}
            />
            <SearchInput
              label={t('search')}
              value={keyword}
              onChange={(next) => {
                setPage(1);
                setKeyword(next);
              }}
            />
          </div>
          {(status !== undefined || view.keyword !== '') && data.total > 0 && (
            <ShownKeys channelId={channel.id} view={view} count={data.total} />
          )}
          <KeyTable channelId={channel.id} keys={data.items} />
          <Pages last={last} page={page} onPage={setPage} />
        </>
      )}
      <PasteKeys channelId={channel.id} text={pasted} onText={setPasted} />
    </Dialog>
  );
};

const Mode = ({ channelId, mode }: { readonly channelId: number; readonly mode: PoolMode }) => {
  const { t } = useTranslation('channel-keys');
  const choose = useAction({
    run: (next: PoolMode) => chooseMode(channelId, next),
    refresh: [CHANNEL_KEYS, CHANNELS],
  });
  return (
    <Segmented
      label={t('mode.label')}
      value={choose.isPending ? choose.variables : mode}
      options={MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
      onChange={(next) => choose.mutate(next)}
    />
  );
};

const lastPage = (data: KeyPage | undefined): number =>
  Math.max(1, Math.ceil((data?.total ?? 0) / KEYS_ON_A_PAGE));

interface PagesProps {
  readonly last: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

const Pages = ({ last, page, onPage }: PagesProps) => {
  const { t } = useTranslation('channel-keys');
  if (last === 1) return null;
  return (
    <nav className="keys-pages" aria-label={t('pages')}>
      <Button size="small" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('before')}
      </Button>
      <span className="number meta">{t('page', { page, last })}</span>
      <Button size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('next')}
      </Button>
    </nav>
  );
};

export default KeysDialog;
