import { IconRefresh } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import ConnectLink from '../../shared/connect-link.tsx';
import { useTaskFilters } from '../../shared/use-task-filters.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import type { View } from '../../kit/resource-table/column.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { loadTasks, type MusicTask } from './music-task.ts';
import { useTaskColumns } from './use-task-columns.tsx';
import { MONTH_S } from '../../lib/text/spans.ts';

const TASKS = 'music-tasks';
const idOf = (row: MusicTask): number => row.id;
const nameOf = (row: MusicTask): string => row.task_id;

/** The list of music tasks: request, progress and result. */
const TaskPage = () => {
  const { t } = useTranslation('task');
  const { t: common } = useTranslation();
  const [, patch] = useUrlState();
  const isAdmin = useIsAdmin();
  const columns = useTaskColumns(isAdmin);
  const load = useCallback((view: View, signal: AbortSignal) => loadTasks(isAdmin, view, signal), [isAdmin]);
  const filters = useTaskFilters('task_id', t, isAdmin);
  return (
    <>
      <PageHeader title={t('title')} about={t(isAdmin ? 'aboutAll' : 'aboutOwn')} />
      <ResourceTable
        name={TASKS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={load}
        tools={
          <IconButton
            label={t('refresh')}
            onClick={() => void queryClient.invalidateQueries({ queryKey: [TASKS] })}
          >
            <IconRefresh size={17} />
          </IconButton>
        }
        emptyText={t('empty')}
        emptyAction={
          <>
            <Button onClick={() => patch({ time_from: String(Math.floor(Date.now() / 1000) - MONTH_S) })}>
              {common('table.lastMonth')}
            </Button>
            <ConnectLink />
          </>
        }
      />
    </>
  );
};

export default TaskPage;
