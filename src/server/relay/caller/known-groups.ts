import type { Routing } from '#core/channel/routing.ts';
import { isKnownGroup } from '#core/token/present-group.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';

/**
 * Whether the routing has the groups of a caller. If not, they were removed, or the routing is older than their names:
 * by it the caller would be refused, or pay without the special ratios of the group.
 */
export const knowsGroups = (
  { options }: Pick<Routing, 'options'>,
  user: Pick<User, 'group'>,
  token: Pick<Token, 'group'> | undefined,
): boolean =>
  isKnownGroup(options, user.group) && (token === undefined || isKnownGroup(options, token.group));
