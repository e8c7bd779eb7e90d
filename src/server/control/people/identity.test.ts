import { expect, it } from 'vitest';
import { userStatus } from '#contract/codes.ts';
import type { AppError } from '#core/error.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { userOf } from '#core/user/testing/user.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { type Credentials, createIdentify } from './identity.ts';
import { type Sessions, sha256 } from './sign-in/sessions.ts';

/** Who a caller is, is read from the account on each call. */

const TOKEN = 'access-token';
const none: Credentials = { sessionId: undefined, authorization: undefined, userHeader: '7' };
const bySession: Credentials = { ...none, sessionId: 'session' };
const byToken: Credentials = { ...none, authorization: `Bearer ${TOKEN}` };

/** What callers with these credentials are told where the account 7 is like this, and whose sessions end. */
const identified = async (credentials: Credentials, changes: Partial<User> = {}) => {
  const user = userOf({ id: 7, ...changes });
  const ended: number[] = [];
  const users = standIn<UserStore>({
    byId: async (id) => (id === 7 ? user : undefined),
    byAccessTokenHash: async (hash) => (hash === sha256(TOKEN) ? user : undefined),
  });
  const sessions = standIn<Sessions>({
    find: async (id) =>
      id === 'ended' ? undefined : { userId: id === 'session' ? 7 : 8, hash: 'hash', freshUntilMs: 90 },
    endAllOf: (id) =>
      new Promise((done) => {
        setImmediate(() => done(void ended.push(id)));
      }),
  });
  const answer = await createIdentify(
    users,
    sessions,
  )(credentials).then(
    ({ user: { id }, via, sessionHash, freshUntilMs }) => ({ id, via, sessionHash, freshUntilMs }),
    (error: AppError) => error.code,
  );
  return { answer, ended };
};

it('a session proves its account and how fresh it is; an access token proves it, and nothing fresh', async () => {
  const known = { id: 7, via: 'session', sessionHash: 'hash', freshUntilMs: 90 };
  expect(await identified(bySession)).toEqual({ answer: known, ended: [] });
  expect(await identified({ ...bySession, authorization: 'Bearer other' })).toEqual({
    answer: known,
    ended: [],
  });
  const told = { id: 7, via: 'access-token', sessionHash: undefined, freshUntilMs: 0 };
  expect(await identified(byToken)).toEqual({ answer: told, ended: [] });
  expect(await identified({ ...byToken, authorization: TOKEN, sessionId: 'ended' })).toEqual({
    answer: told,
    ended: [],
  });
});

it.each<[string, Credentials, Partial<User>, readonly number[]]>([
  ['nothing', none, {}, []],
  ['an ended session', { ...none, sessionId: 'ended' }, {}, []],
  ['the session of an account that is not there', { ...none, sessionId: 'gone' }, {}, []],
  ['an unknown access token', { ...none, authorization: 'Bearer other' }, {}, []],
  ['an empty access token', { ...none, authorization: 'Bearer ' }, {}, []],
  ['the header of another account', { ...bySession, userHeader: '8' }, {}, []],
  ['no header', { ...byToken, userHeader: undefined }, {}, []],
  ['the session of a deleted account', bySession, { deletedAtMs: 5 }, []],
  ['the access token of a deleted account', byToken, { deletedAtMs: 5 }, []],
  ['the session of a banned account, and all of them end', bySession, { status: userStatus.disabled }, [7]],
  ['the access token of a banned account', byToken, { status: userStatus.disabled }, [7]],
])('%s proves nothing', async (_, credentials, changes, ended) => {
  expect(await identified(credentials, changes)).toEqual({ answer: 'unauthenticated', ended });
});
