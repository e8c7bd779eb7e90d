import './midjourney.css';
import { IconRefresh } from '@tabler/icons-react';
import { Suspense, useCallback, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import ConnectLink from '../../shared/connect-link.tsx';
import { useTaskFilters } from '../../shared/use-task-filters.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import type { View } from '../../kit/resource-table/column.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { Notice } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { type Drawing, loadDrawings } from './drawing.ts';
import { DrawingDetail } from './drawing-detail.tsx';
import { useDrawingColumns } from './use-drawing-columns.tsx';

const PictureDialog = late(() => import('./picture-dialog.tsx'));

const DRAWINGS = 'drawings';
const idOf = (row: Drawing): number => row.id;
const nameOf = (row: Drawing): string => row.mj_id;
const expand = (row: Drawing) => <DrawingDetail row={row} />;

/** The list of drawings: prompts, progress and results. */
const MidjourneyPage = () => {
  const { t } = useTranslation('midjourney');
  const isAdmin = useIsAdmin();
  const status = useSiteStatus();
  const [shown, setShown] = useState<Drawing>();
  const columns = useDrawingColumns(isAdmin, setShown);
  const filters = useTaskFilters('mj_id', t, isAdmin);
  const load = useCallback(
    (view: View, signal: AbortSignal) => loadDrawings(isAdmin, view, signal),
    [isAdmin],
  );
  const isDeaf = isAdmin && status !== undefined && !status.mj_notify_enabled;
  return (
    <>
      <PageHeader title={t('title')} about={t(isAdmin ? 'aboutAll' : 'aboutOwn')} />
      <ResourceTable
        name={DRAWINGS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={load}
        expand={expand}
        {...(isDeaf ? { above: <Banner>{t('banner')}</Banner> } : {})}
        tools={
          <IconButton
            label={t('refresh')}
            onClick={() => void queryClient.invalidateQueries({ queryKey: [DRAWINGS] })}
          >
            <IconRefresh size={17} />
          </IconButton>
        }
        emptyText={t('empty')}
        emptyAction={<ConnectLink />}
      />
      <Suspense>
        {shown !== undefined && <PictureDialog row={shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  );
};

const Banner = ({ children }: { readonly children: string }) => (
  <div className="drawing-banner">
    <Notice tone="info">{children}</Notice>
  </div>
);

export default MidjourneyPage;
