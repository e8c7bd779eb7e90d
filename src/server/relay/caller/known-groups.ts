import type { Routing } from '#core/channel/routing.ts';
import { isKnownGroup } from '#core/token/present-group.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';

/**
 * Whether the routing has the groups of a caller. If not, the groups were removed, or the routing is older than their
 * names: then the caller would be refused, or would pay without the group's special ratios.
 */
export const knowsGroups = (
  { options }: Pick<Routing, 'options'>,
  user: Pick<User, 'group'>,
  token: Pick<Token, 'group'> | undefined,
): boolean =>
  isKnownGroup(options, user.group) && (token === undefined || isKnownGroup(options, token.group));
