import type * as contract from '#contract/api/site/names.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { KnownModels } from '../../../control/channels/known-models.ts';
import type { Handlers } from '../../handler.ts';

interface NameDeps {
  readonly routing: () => Routing;
  readonly knownModels: KnownModels;
}

/** Names that several pages choose from. */
export const nameHandlers = ({ routing, knownModels }: NameDeps): Handlers<typeof contract> => ({
  listModels: async () =>
    Object.fromEntries([...knownModels.byType].map(([type, names]) => [String(type), [...names]])),
  listGroups: async () => Object.keys(routing().options.GroupRatio).sort(),
});
