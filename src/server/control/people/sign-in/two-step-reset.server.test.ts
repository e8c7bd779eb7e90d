import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { say } from '#contract/messages.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import type { Caller } from '../../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** A user who lost the second factor is let in again only by somebody of higher rank. */

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let rootUser: User;
let root: Caller;
let count = 0;

const RANK = 'no permission to update users at the same or higher level';
const TOO_LOW = say('role_too_low', 'en');

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  rootUser = await stage.person('root', role.root);
  root = stage.caller(await stage.session(rootUser));
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const reset = (caller: Caller, id: number) => caller(`/api/user/${id}/2fa`, { method: 'DELETE' });

/** Somebody with a second step, a passkey and a session. */
const protectedPerson = async (rank: number = role.user) => {
  const user = await stage.person(`safe${(count += 1)}`, rank);
  const call = stage.caller(await stage.session(user));
  const { secret } = (await call('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await call('/api/user/2fa/enable', { method: 'POST', body: { code } })).success).toBe(true);
  await stage.passkey(user);
  return { user, call };
};
const signIn = (username: string) =>
  stage.caller()('/api/user/login', { method: 'POST', body: { username, password: PASSWORD } });

it('the second step and every passkey are gone, every session has ended, and the password is enough', async () => {
  const { user, call } = await protectedPerson();
  const bystander = await protectedPerson();
  const before = await signIn(user.username);
  const { ticket } = before.data as { ticket: string };
  expect((await reset(root, user.id)).message).toBe('');
  expect((await call('/api/user/self')).status).toBe(401);
  expect((await signIn(user.username)).data).toMatchObject({ id: user.id });
  const again = stage.caller(await stage.session(user));
  expect((await again('/api/user/2fa')).data).toEqual({ enabled: false, backup_codes_left: 0 });
  expect((await again('/api/user/passkeys')).data).toEqual([]);
  // A first step from before does not become a whole sign-in.
  const late = await stage.caller()('/api/user/login/2fa', {
    method: 'POST',
    body: { ticket, code: '000000' },
  });
  expect([late.success, late.headers.getSetCookie()]).toEqual([false, []]);
  expect((await bystander.call('/api/user/2fa')).data).toMatchObject({ enabled: true });
});

it('the logs say who reset whom, in both languages', async () => {
  const { user } = await protectedPerson();
  await reset(root, user.id);
  const contentOf = async (language: string) => {
    const got = await root('/api/log/?type=3&username=root', { headers: { 'Accept-Language': language } });
    const [newest] = (got.data as { items: { user_id: number; content: string }[] }).items;
    return [newest?.user_id, newest?.content];
  };
  expect(await contentOf('en')).toEqual([
    rootUser.id,
    `reset two-step sign-in and passkeys of user ${user.username} (${user.id})`,
  ]);
  expect(await contentOf('zh')).toEqual([
    rootUser.id,
    `重置用户 ${user.username}（${user.id}）的两步验证与通行密钥`,
  ]);
});

it.each([
  ['a user on another', role.user, role.user, TOO_LOW],
  ['an admin on an admin', role.admin, role.admin, RANK],
  ['an admin on the super admin', role.admin, role.root, RANK],
  ['the super admin on themselves', role.root, 'self', RANK],
  ['an admin on themselves', role.admin, 'self', RANK],
] as const)('%s is refused, and nothing is removed', async (_, rank, target, message) => {
  const actor = await protectedPerson(rank);
  const on = target === 'self' ? actor : await protectedPerson(target);
  const got = await reset(actor.call, on.user.id);
  expect([got.success, got.message]).toEqual([false, message]);
  expect((await on.call('/api/user/2fa')).data).toMatchObject({ enabled: true });
  expect((await on.call('/api/user/passkeys')).data).toHaveLength(1);
});

it('needs a fresh proof, an existing account, and something to remove', async () => {
  const { user, call } = await protectedPerson();
  const admin = await stage.person('stale-admin', role.admin);
  const stale = stage.caller(await stage.session(admin));
  const { sessions } = server.parts.stores;
  const [session] = await sessions.listOf(admin.id, Date.now());
  await sessions.setFresh(session?.idHash ?? '', 0);
  const refused = await reset(stale, user.id);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('fresh_password_needed')]);
  expect((await call('/api/user/2fa')).data).toMatchObject({ enabled: true });
  const plain = await stage.person('plain');
  expect((await reset(root, plain.id)).message).toBe('this user has neither two-step sign-in nor passkeys');
  expect((await reset(root, 999_999)).message).toBe('there is no such user');
  await root('/api/user/manage', { method: 'POST', body: { id: user.id, action: 'delete' } });
  expect((await reset(root, user.id)).message).toBe('this account has been closed');
});
