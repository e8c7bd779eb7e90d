import './price-book.css';
import { IconArrowsDiff, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useId, useMemo } from 'react';
import { deletePriceDraft, listPriceDrafts, listPriceVersions } from '#contract/api/wallet/price-book.ts';
import { late } from '../../kit/late.tsx';
import { AddButton } from '../../kit/add-button.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Column, Page, View } from '../../kit/resource-table/column.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { Chip, StatusPill } from '../../kit/status.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExact, formatTime, MISSING } from '../../lib/text/format.ts';
import { type Translate, useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { CLOSING, useDrawerUrl, useUrlState } from '../../lib/browser/url-state.ts';
import { type Draft, PRICE_BOOK, reasonText, type Version } from './price-changes.ts';

// The form's texts are those of the rules they show.
const loadDraft = withTexts('price-form', () => import('./draft-dialog.tsx'));
const DraftDialog = late(loadDraft);
const VersionDialog = late(withTexts('price-form', () => import('./version-dialog.tsx')));
const CompareDialog = late(() => import('./compare-dialog.tsx'));

const DRAFTS_EVERY_MS = 30_000;

const idOf = ({ version }: Version): number => version;
const nameOf = ({ version }: Version): string => String(version);
const load = (view: View, signal: AbortSignal): Promise<Page<Version>> =>
  call(listPriceVersions, { query: { p: view.page, page_size: view.pageSize } }, signal);

/** Price changes: drafts, and all versions. */
const PriceBookPage = () => {
  const { t } = useTranslation('price-book');
  const { t: common } = useTranslation();
  const [url, patch] = useUrlState();
  const version = useDrawerUrl('version');
  const draft = useDrawerUrl('draft');
  const columns = useVersionColumns(version.open);
  const drafts = useQuery({
    queryKey: [PRICE_BOOK, 'drafts'],
    queryFn: ({ signal }) => call(listPriceDrafts, {}, signal),
    // What waits for somebody comes from somebody else.
    refetchInterval: DRAFTS_EVERY_MS,
  });
  const newest = useQuery({
    queryKey: [PRICE_BOOK, 'newest'],
    queryFn: ({ signal }) => call(listPriceVersions, { query: { p: 1, page_size: 1 } }, signal),
  });
  const add = useAction({ run: async () => (await loadDraft()).newDraft(), refresh: [PRICE_BOOK] });
  const yours = drafts.data?.filter((one) => one.may_approve) ?? [];
  const others = drafts.data?.filter((one) => !one.may_approve) ?? [];
  const due = drafts.data?.filter(({ state }) => state === 'due').length ?? 0;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        <Button icon={<IconArrowsDiff size={16} />} onClick={() => patch({ compare: '1' })}>
          {t('compare.open')}
        </Button>
        <AddButton
          label={t('draft.new')}
          prepare={loadDraft}
          onAdd={() => add.mutate(undefined, { onSuccess: draft.open })}
        />
      </PageHeader>
      {drafts.error !== null && <ErrorState error={drafts.error} onRetry={() => void drafts.refetch()} />}
      {yours.length > 0 && <DraftList title={t('approval.yours')} drafts={yours} onOpen={draft.open} />}
      {others.length > 0 && <DraftList title={t('drafts')} drafts={others} onOpen={draft.open} />}
      <section className="price-versions">
        <h2 className="price-heading">{t('versions')}</h2>
        <ResourceTable
          name={PRICE_BOOK}
          label={t('versions')}
          columns={columns}
          rowId={idOf}
          rowName={nameOf}
          load={load}
          emptyText={t('empty')}
          emptyAction={
            <Link to="/prices" className="button">
              {common('page.prices')}
            </Link>
          }
        />
      </section>
      <Suspense>
        {typeof draft.id === 'number' && <DraftDialog key={draft.id} id={draft.id} onClose={draft.close} />}
        {typeof version.id === 'number' && (
          <VersionDialog
            id={version.id}
            current={newest.data?.items[0]?.version}
            due={due}
            onClose={version.close}
          />
        )}
        {url['compare'] !== undefined && (
          <CompareDialog
            onDraft={(id) => patch({ compare: undefined, draft: String(id) }, CLOSING)}
            onClose={() => patch({ compare: undefined }, CLOSING)}
          />
        )}
      </Suspense>
    </>
  );
};

const useVersionColumns = (onOpen: (version: number) => void): readonly Column<Version>[] => {
  const { t } = useTranslation('price-book');
  return useMemo(
    (): readonly Column<Version>[] => [
      {
        id: 'version',
        title: t('column.version'),
        width: 84,
        card: 'title',
        cell: (version) => (
          <button type="button" className="link number price-version" onClick={() => onOpen(version.version)}>
            #{version.version}
          </button>
        ),
      },
      {
        id: 'time',
        title: t('column.time'),
        width: 170,
        card: 'aside',
        cell: ({ created_at }) => <TimeText at={created_at} exact />,
      },
      {
        id: 'author',
        title: t('column.author'),
        width: 90,
        cell: ({ author }) => author || t('version.nobody'),
      },
      {
        id: 'reason',
        title: t('column.reason'),
        cell: ({ reason, restored_from, approval }) => (
          <span className="price-reason">
            {reasonText(reason, t)}
            {restored_from !== null && <Chip>{t('version.restored', { version: restored_from })}</Chip>}
            {approval !== null && <Chip>{t('approval.approvedChip', { name: approval.name })}</Chip>}
          </span>
        ),
      },
      {
        id: 'changes',
        title: t('column.changes'),
        width: 84,
        align: 'end',
        cell: ({ changes }) => (changes === null ? MISSING : formatExact(changes)),
      },
    ],
    [t, onOpen],
  );
};

const tones = {
  asked: 'warn',
  late: 'bad',
  rejected: 'bad',
  open: 'muted',
  due: 'info',
  conflict: 'bad',
  barred: 'bad',
  used: 'bad',
} as const;

const stateText = ({ state, due_at: due }: Draft, t: Translate<'price-book'>): string => {
  if (due === null || state === 'late') return t(`state.${state}`);
  return t(state === 'asked' ? 'state.askedFor' : 'state.dueAt', { time: formatTime(due) });
};

/** The drafts that are not published yet. */
const DraftList = ({
  title,
  drafts,
  onOpen,
}: {
  readonly title: string;
  readonly drafts: readonly Draft[];
  readonly onOpen: (id: number) => void;
}) => {
  const { t } = useTranslation('price-book');
  const titleId = useId();
  const remove = useAction({
    run: (id: number) => call(deletePriceDraft, { params: { id } }),
    refresh: [PRICE_BOOK],
  });
  const ask = async ({ id }: Draft): Promise<void> => {
    if (await confirm({ title: t('draft.dropTitle'), action: t('draft.drop'), danger: true }))
      remove.mutate(id);
  };
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="price-heading">
        {title}
      </h2>
      <ul className="price-drafts">
        {drafts.map((draft) => (
          <li key={draft.id}>
            <button type="button" className="price-draft" onClick={() => onOpen(draft.id)}>
              <strong className="truncate" data-tip={draft.reason || undefined}>
                {draft.reason === '' ? t('draft.unnamed', { id: draft.id }) : reasonText(draft.reason, t)}
              </strong>
              <StatusPill tone={tones[draft.state]}>{stateText(draft, t)}</StatusPill>
              <span className="meta">{t('draft.by', { author: draft.author, count: draft.entries })}</span>
            </button>
            <IconButton label={t('draft.drop')} onClick={() => void ask(draft)}>
              <IconTrash size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
};

export default PriceBookPage;
