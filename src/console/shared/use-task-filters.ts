import { useMemo } from 'react';
import type { Filter } from '../kit/resource-table/filter.ts';

type Label = 'filter.time' | 'filter.id' | 'filter.channel';

/** The filters of drawings and of music tasks; only admins see the channels. */
export const useTaskFilters = (
  idField: 'mj_id' | 'task_id',
  t: (label: Label) => string,
  isAdmin: boolean,
): readonly Filter[] =>
  useMemo(
    (): readonly Filter[] => [
      { id: 'time', kind: 'time', label: t('filter.time') },
      { id: idField, kind: 'text', label: t('filter.id') },
      ...(isAdmin
        ? ([{ id: 'channel_id', kind: 'text', label: t('filter.channel') }] satisfies Filter[])
        : []),
    ],
    [idField, t, isAdmin],
  );
