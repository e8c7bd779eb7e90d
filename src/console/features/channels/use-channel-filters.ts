import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { listGroups } from '#contract/api/site/names.ts';
import { countChannels, enabledModels, knownModels } from '#contract/api/channels/channels.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { Choice } from '../../kit/fields/combobox/use-combobox.ts';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { call } from '../../lib/server/api.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { CHANNELS } from './channel.ts';

const MINUTE_MS = 60_000;

/** Shown while a list is loading. One constant, because a new array would draw everything again that shows it. */
const NONE: readonly string[] = [];

/** Names of groups, of well-known models, and of models that enabled channels offer. */
export const useGroupNames = (isWanted = true): readonly string[] =>
  useQuery({
    enabled: isWanted,
    queryKey: ['group-names'],
    queryFn: () => call(listGroups),
    staleTime: MINUTE_MS,
    meta: { isAside: true },
  }).data ?? NONE;

export const useKnownModels = (isWanted = true): readonly string[] =>
  useQuery({
    enabled: isWanted,
    queryKey: ['known-models'],
    queryFn: async () => (await call(knownModels)).map((model) => model.id),
    staleTime: 10 * MINUTE_MS,
    meta: { isAside: true },
  }).data ?? NONE;

export const useEnabledModels = (isWanted = true): readonly string[] =>
  useQuery({
    enabled: isWanted,
    queryKey: ['enabled-models'],
    queryFn: () => call(enabledModels),
    staleTime: MINUTE_MS,
    meta: { isAside: true },
  }).data ?? NONE;

const countOf = (count: number | undefined) => (count === undefined ? {} : { count });

const choicesOf = (names: readonly string[], current: string | undefined): Choice[] =>
  [...new Set(current ? [current, ...names] : names)].map((name) => ({ value: name, label: name }));

/** The filters of the channel list. */
export const useChannelFilters = (): readonly Filter[] => {
  const { t } = useTranslation('channels');
  const [url] = useUrlState();
  // Loaded when the list of choices opens, because there may be many.
  const [isModelWanted, setModelWanted] = useState(false);
  const [isGroupWanted, setGroupWanted] = useState(false);
  const groups = useGroupNames(isGroupWanted);
  const enabled = useEnabledModels(isModelWanted);
  const known = useKnownModels(isModelWanted);
  const { q: keyword, group, model, type } = url;
  const query = { keyword, group, model, type };
  const isNarrowed = Object.values(query).some(Boolean);
  // The key begins with the channel list's, so that changes of channels reload it. The menu shows the count of all channels
  // too.
  const { data: counts } = useQuery({
    queryKey: [CHANNELS, 'counts', ...(isNarrowed ? [query] : [])],
    queryFn: () => call(countChannels, { query }),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
    meta: { isAside: true },
  });
  const off = counts === undefined ? 0 : counts.disabled + counts.auto_disabled;
  const status = useMemo(
    (): Filter => ({
      id: 'status',
      kind: 'segments',
      label: t('filter.status'),
      choices: [
        { value: '', label: t('filter.all'), ...countOf(counts && off + counts.enabled) },
        { value: 'enabled', label: t('filter.enabled'), ...countOf(counts?.enabled) },
        { value: 'disabled', label: t('filter.disabled'), ...countOf(counts && off) },
        { value: 'auto', label: t('status.auto'), ...countOf(counts?.auto_disabled) },
      ],
    }),
    [t, counts, off],
  );
  // Separate from the counts, so that the comboboxes are not drawn again with every search.
  const selects = useMemo(
    (): readonly Filter[] => [
      {
        id: 'model',
        kind: 'select',
        label: t('filter.model'),
        choices: choicesOf([...enabled, ...known], model),
        onFocus: () => setModelWanted(true),
      },
      {
        id: 'group',
        kind: 'select',
        label: t('filter.group'),
        choices: choicesOf(groups, group),
        onFocus: () => setGroupWanted(true),
      },
      {
        id: 'type',
        kind: 'select',
        label: t('filter.type'),
        choices: channelTypes.map((type) => ({ value: String(type.id), label: type.label })),
      },
    ],
    [t, groups, enabled, known, group, model],
  );
  return useMemo(() => [status, ...selects], [status, selects]);
};
