import './logs.css';
import './log-cards.css';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import type { Page, View } from '../../kit/resource-table/column.ts';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { formatTime } from '../../lib/text/format.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { rowName } from './log-cells.tsx';
import { loadLogs, type LogEntry } from './log-query.ts';
import { LOG_STAT, LogTotals } from './log-totals.tsx';
import { useLogColumns } from './use-log-columns.tsx';
import { useLogFilters } from './use-log-filters.tsx';

const loadDetail = withTexts('log-more', () => import('./log-detail.tsx'));
const ConnectLink = late(() => import('../../shared/connect-link.tsx'));
const ExportButton = late(() => import('./export-button.tsx'));
const LogDetail = late(loadDetail);
const ClearLogsDialog = late(withTexts('log-more', () => import('../../shared/clear-logs-dialog.tsx')));
const UserDialog = late(withTexts('log-more', () => import('./user-dialog.tsx')));

const LOGS = 'logs';
type LogPage = Page<LogEntry> & { readonly sorted_since?: number };
/** Loads the rows first, then the code a click on one needs. */
const DETAIL_AFTER_MS = 1500;
const idOf = (entry: LogEntry): number => entry.id;
const expand = (entry: LogEntry) => (
  <Suspense fallback={<div className="log-detail" aria-busy />}>
    <LogDetail entry={entry} />
  </Suspense>
);

/** The log of calls and balance changes: cost, duration, and routing. */
const LogsPage = () => {
  const { t } = useTranslation('logs');
  const isAdmin = useIsAdmin();
  const [user, setUser] = useState<LogEntry>();
  const [isClearing, setClearing] = useState(false);
  const columns = useLogColumns(isAdmin, setUser);
  const filters = useLogFilters(isAdmin);
  const load = useCallback((view: View, signal: AbortSignal) => loadLogs(isAdmin, view, signal), [isAdmin]);
  useEffect(() => {
    const timer = setTimeout(() => void loadDetail(), DETAIL_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const refresh = (): void => {
    for (const shown of [LOGS, LOG_STAT]) void queryClient.invalidateQueries({ queryKey: [shown] });
  };
  return (
    <div className="logs">
      <PageHeader title={t('title')} about={t(isAdmin ? 'aboutAll' : 'aboutOwn')}>
        <LogTotals isAdmin={isAdmin} filters={filters} />
      </PageHeader>
      <ResourceTable
        name={LOGS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={(entry) => rowName(entry, t)}
        load={load}
        expand={expand}
        above={(page: LogPage | undefined) =>
          page?.sorted_since !== undefined && (
            <p className="meta log-sorted" role="status">
              {t('sortedSince', { time: formatTime(page.sorted_since) })}
            </p>
          )
        }
        tools={
          <>
            <IconButton label={t('refresh')} onClick={refresh}>
              <IconRefresh size={17} />
            </IconButton>
            <Suspense fallback={<span className="icon-button" />}>
              <ExportButton isAdmin={isAdmin} filters={filters} />
            </Suspense>
            {isAdmin && (
              <IconButton label={t('clear.title')} onClick={() => setClearing(true)}>
                <IconTrash size={17} />
              </IconButton>
            )}
          </>
        }
        emptyText={t('empty')}
        emptyAction={
          <>
            <Link to="/log" search={{ range: 'week' }} className="button">
              {t('range.week')}
            </Link>
            <Suspense>
              <ConnectLink />
            </Suspense>
          </>
        }
      />
      <Suspense>
        {isClearing && <ClearLogsDialog refresh={[LOGS, LOG_STAT]} onClose={() => setClearing(false)} />}
        {user !== undefined && (
          <UserDialog id={user.user_id} name={user.username} onClose={() => setUser(undefined)} />
        )}
      </Suspense>
    </div>
  );
};

export default LogsPage;
