import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listGroups } from '#contract/api/site/names.ts';
import { ownGroups } from '#contract/api/people/session.ts';
import { AUTO_GROUP, logType } from '#contract/codes.ts';
import { loggedPrograms } from '#contract/programs.ts';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useProgramName } from '../../lib/text/program-name.ts';
import { RangeFilter } from './range-filter.tsx';

export const typeKeys = {
  [logType.topUp]: 'type.topUp',
  [logType.consume]: 'type.consume',
  [logType.manage]: 'type.manage',
  [logType.system]: 'type.system',
  [logType.error]: 'type.error',
} as const;

/** The filters of the page. Admins also look for a channel and a user. */
export const useLogFilters = (isAdmin: boolean): readonly Filter[] => {
  const { t } = useTranslation('logs');
  const [{ group = '' }] = useUrlState();
  // Loaded when the list of choices opens.
  const [isGroupWanted, setGroupWanted] = useState(false);
  const groups = useGroupNames(isAdmin, isGroupWanted);
  const programName = useProgramName();
  return useMemo(
    (): readonly Filter[] => [
      {
        id: 'time',
        kind: 'own',
        label: t('filter.time'),
        names: ['range', 'from', 'to'],
        control: (controls) => <RangeFilter controls={controls} />,
      },
      {
        id: 'type',
        kind: 'select',
        label: t('filter.type'),
        choices: Object.entries(typeKeys).map(([value, key]) => ({ value, label: t(key) })),
      },
      { id: 'token_name', kind: 'text', label: t('filter.token') },
      { id: 'model_name', kind: 'text', label: t('filter.model') },
      {
        id: 'group',
        kind: 'select',
        label: t('filter.group'),
        choices: [...new Set(group === '' ? groups : [group, ...groups])].map((name) => ({
          value: name,
          label: name,
        })),
        onFocus: () => setGroupWanted(true),
      },
      {
        id: 'program',
        kind: 'select',
        label: t('filter.program'),
        choices: loggedPrograms.map((value) => ({ value, label: programName(value) })),
      },
      ...(isAdmin
        ? ([
            { id: 'channel', kind: 'text', label: t('filter.channel') },
            { id: 'username', kind: 'text', label: t('filter.username') },
          ] satisfies Filter[])
        : []),
      { id: 'request_id', kind: 'text', label: t('filter.requestId') },
    ],
    [t, isAdmin, group, groups, programName],
  );
};

const NONE: readonly string[] = [];

/** Without `auto`: a call is logged under the group it went to. */
const useGroupNames = (isAdmin: boolean, isWanted: boolean): readonly string[] => {
  const { data } = useQuery({
    enabled: isWanted,
    queryKey: ['group-names', isAdmin],
    queryFn: async ({ signal }): Promise<readonly string[]> =>
      isAdmin
        ? call(listGroups, {}, signal)
        : Object.keys(await call(ownGroups, {}, signal)).filter((name) => name !== AUTO_GROUP),
    staleTime: 60_000,
  });
  return data ?? NONE;
};
