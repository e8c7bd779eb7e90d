import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { listGroups } from '#contract/api/catalogue.ts';
import { enabledModels, knownModels } from '#contract/api/channels.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { Choice } from '../../kit/fields/select-field.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { call } from '../../lib/api.ts';
import { useUrlState } from '../../lib/url-state.ts';

const MINUTE_MS = 60_000;

/** Names of groups, of well-known models, and of models that enabled channels offer. */
export const useGroupNames = (): readonly string[] =>
  useQuery({ queryKey: ['group-names'], queryFn: () => call(listGroups), staleTime: MINUTE_MS }).data ?? [];

export const useKnownModels = (): readonly string[] =>
  useQuery({
    queryKey: ['known-models'],
    queryFn: async () => (await call(knownModels)).map((model) => model.id),
    staleTime: 10 * MINUTE_MS,
  }).data ?? [];

const useEnabledModels = (): readonly string[] =>
  useQuery({ queryKey: ['enabled-models'], queryFn: () => call(enabledModels), staleTime: MINUTE_MS }).data ??
  [];

const choicesOf = (names: readonly string[], current: string | undefined): Choice[] =>
  [...new Set(current ? [current, ...names] : names)].map((name) => ({ value: name, label: name }));

/** The filters of the channel list. */
export const useChannelFilters = (): readonly Filter[] => {
  const { t } = useTranslation('channels');
  const [url] = useUrlState();
  const groups = useGroupNames();
  const enabled = useEnabledModels();
  const known = useKnownModels();
  const { group, model } = url;
  return useMemo(
    () => [
      {
        id: 'status',
        kind: 'segments',
        label: t('filter.status'),
        choices: [
          { value: '', label: t('filter.all') },
          { value: 'enabled', label: t('filter.enabled') },
          { value: 'disabled', label: t('filter.disabled') },
        ],
      },
      {
        id: 'model',
        kind: 'select',
        label: t('filter.model'),
        choices: choicesOf([...enabled, ...known], model),
      },
      { id: 'group', kind: 'select', label: t('filter.group'), choices: choicesOf(groups, group) },
      {
        id: 'type',
        kind: 'select',
        label: t('filter.type'),
        choices: channelTypes.map((type) => ({ value: String(type.id), label: type.label })),
      },
    ],
    [t, groups, enabled, known, group, model],
  );
};
