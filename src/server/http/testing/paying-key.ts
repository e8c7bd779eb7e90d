import type { Ledger } from '#core/ledger/ledger.ts';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import type { User } from '#core/user/user.ts';
import type { Tokens } from '../../control/people/tokens.ts';

/** What `payingKey` needs from a running server. */
interface Bank {
  readonly parts: {
    readonly stores: { readonly ledger: Pick<Ledger, 'move'> };
    readonly tokens: Pick<Tokens, 'create'>;
  };
}

/** A relay key of a user who is credited `units` for it. */
export const payingKey = async ({ parts }: Bank, user: User, units = 10_000_000): Promise<string> => {
  await parts.stores.ledger.move({
    kind: 'grant',
    ref: `start ${user.id}`,
    userId: user.id,
    deltaUnits: units,
    reason: '',
    actorId: 0,
    nowMs: 1,
  });
  const [token] = await parts.tokens.create(user, { ...unlimitedToken, name: 'talks' }, 1);
  return token?.key ?? '';
};
