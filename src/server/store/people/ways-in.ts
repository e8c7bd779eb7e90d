import type { Kysely } from 'kysely';
import { type ServiceName, signInServices } from '#contract/sign-in-services.ts';
import type { WaysIn } from '#core/user/ways-in.ts';
import type { Database } from '../database/database.ts';
import type { Schema, UserRecord } from '../database/schema.ts';

/**
 * Locks the row of an existing account until the transaction ends, so that ways to sign in are changed one after the
 * other.
 */
export const holdUser = (
  transaction: Kysely<Schema>,
  engine: Database['engine'],
  userId: number,
): Promise<UserRecord | undefined> => {
  const owner = transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null);
  return (engine === 'postgres' ? owner.forUpdate() : owner).executeTakeFirst();
};

/** Whether a user can still sign in after losing one of the ways. */
export const hasWayInWithout = async (
  transaction: Kysely<Schema>,
  user: UserRecord,
  ways: WaysIn,
  without: ServiceName | 'passkeys',
): Promise<boolean> => {
  if (ways.password && user.password_hash !== '') return true;
  if (ways.services.some((one) => one !== without && user[signInServices[one].field] !== '')) return true;
  if (without === 'passkeys' || !ways.passkeys) return false;
  const passkey = transaction.selectFrom('passkeys').select('id').where('user_id', '=', user.id).limit(1);
  return (await passkey.executeTakeFirst()) !== undefined;
};
