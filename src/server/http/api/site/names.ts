import type * as contract from '#contract/api/site/names.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { KnownModels } from '../../../control/channels/known-models.ts';
import { useOfGroup } from '../../../control/site/groups-in-use.ts';
import type { RenameGroup } from '../../../control/site/rename-group.ts';
import type { Handlers } from '../../handler.ts';

interface NameDeps {
  readonly routing: () => Routing;
  readonly knownModels: KnownModels;
  readonly users: Pick<UserStore, 'groupUse'>;
  readonly channelRows: Pick<ChannelStore, 'page'>;
  readonly options: Pick<OptionStore, 'all'>;
  readonly renameGroup: RenameGroup;
}

/** Names that several pages choose from. */
export const nameHandlers = ({
  routing,
  knownModels,
  users,
  channelRows,
  options,
  renameGroup,
}: NameDeps): Handlers<typeof contract> => ({
  listModels: async () =>
    Object.fromEntries([...knownModels.byType].map(([type, names]) => [String(type), [...names]])),
  listGroups: async () => Object.keys(routing().options.GroupRatio).sort(),
  readGroupUse: async ({ query: { name } }) => {
    const use = await useOfGroup({ users, channels: channelRows, options }, name);
    return { users: use.users, tokens: use.tokens, channels: use.channels, settings: [...use.settings] };
  },
  renameGroup: ({ body: { name, to } }, { actor }) => renameGroup(actor, { from: name, to }),
});
