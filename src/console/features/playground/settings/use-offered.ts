import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { ownGroups, ownModels } from '#contract/api/people/session.ts';
import { AUTO_GROUP } from '#contract/codes.ts';
import type { Choice } from '../../../kit/fields/combobox/use-combobox.ts';
import { call } from '../../../lib/server/api.ts';
import { useSession } from '../../../lib/session/session.ts';
import { useSiteStatus } from '../../../lib/server/site-status.ts';

export interface OfferedChoices {
  /** Undefined while they are not known, as are the models. */
  readonly groups: readonly Choice[] | undefined;
  readonly models: readonly string[] | undefined;
  /** Whether they are still loading, so that the selection may not be final. */
  readonly isLoading: boolean;
  /** The error of loading either. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The user's own group first, or `auto` where the site prefers it. Source: specification, roles and permissions. */
export const inOrder = (
  names: readonly string[],
  ownGroup: string,
  isAutoFirst: boolean,
): readonly string[] => {
  const rank = (name: string): number =>
    name === AUTO_GROUP && isAutoFirst ? 0 : name === ownGroup ? 1 : name === AUTO_GROUP ? 3 : 2;
  return names.toSorted((a, b) => rank(a) - rank(b));
};

/** The groups and models the user may choose from. */
export const useOffered = (): OfferedChoices => {
  const { t } = useTranslation('playground');
  const ownGroup = useSession()?.group ?? '';
  const isAutoFirst = useSiteStatus()?.default_use_auto_group ?? false;
  const models = useQuery({
    queryKey: ['own-models'],
    queryFn: ({ signal }) => call(ownModels, {}, signal),
    staleTime: 60_000,
  });
  const groups = useQuery({
    queryKey: ['own-groups'],
    queryFn: ({ signal }) => call(ownGroups, {}, signal),
    staleTime: 60_000,
  });
  const known = groups.data;
  const choices =
    known &&
    inOrder(Object.keys(known), ownGroup, isAutoFirst).map((name) => ({
      value: name,
      label: groupLabel(name, known[name]?.desc, known[name]?.ratio),
    }));
  return {
    groups: choices?.length === 0 ? [{ value: '', label: t('panel.userGroup') }] : choices,
    models: models.data?.toSorted((a, b) => a.localeCompare(b)),
    isLoading: models.isPending || groups.isPending,
    error: models.error ?? groups.error,
    retry: () => {
      if (models.isError) void models.refetch();
      if (groups.isError) void groups.refetch();
    },
  };
};

const groupLabel = (name: string, desc: string | undefined, ratio: number | string | undefined): string => {
  const words = desc === undefined || desc === '' || desc === name ? name : `${name} · ${desc}`;
  return typeof ratio === 'number' ? `${words} · ×${ratio}` : words;
};
