import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { role, userStatus } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { type MailServer, startMailServer } from '../../../../simulator/mail/start.ts';
import { accessTokenHeaders, type Caller, type Got } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { PASSWORD } from '../../../http/testing/stage.ts';

/** What a password change, a ban or another rank ends: every session, the access token, every step half done. */

const NEW_PASSWORD = 'another long password';

let scene: Scene;
let mailServer: MailServer;
let count = 0;

beforeAll(async () => {
  mailServer = await startMailServer(['--plain']);
  scene = await openScene();
  await scene.set('ServerAddress', 'https://gate.example');
  await scene.set('SMTPFrom', 'gate@site.example');
  await scene.set('SMTPPort', mailServer.port);
  await scene.set('SMTPServer', '127.0.0.1');
});
afterAll(async () => {
  await scene.close();
  await mailServer.stop();
});

interface Person {
  readonly user: User;
  readonly email: string;
  readonly session: Caller;
  readonly token: Caller;
}

const somebody = async (rank: number = role.user): Promise<Person> => {
  const { stage, server } = scene;
  const user = await stage.person(`person-${(count += 1)}`, rank);
  const email = `${user.username}@site.example`;
  await server.parts.stores.identities.setEmail(user.id, email);
  return {
    user,
    email,
    session: stage.caller(await stage.session(user)),
    token: stage.caller(await stage.accessToken(user)),
  };
};

const statusOf = async (call: Caller): Promise<number> => (await call('/api/user/self')).status;
const manage = (id: number, action: string) =>
  scene.asRoot('/api/user/manage', { method: 'POST', body: { id, action } });

/** The token of the newest link that was mailed there. */
const linkTo = async (email: string): Promise<string> => {
  expect((await scene.stage.caller()(`/api/reset_password?email=${email}`)).success).toBe(true);
  const found = async (): Promise<string> => {
    const mails = (await mailServer.mails()).filter(({ to }) => to.includes(email));
    const texts = mails.map(({ text }) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
    // Other mails tell the owner what else happens to the account.
    return texts.map((text) => /token=([\w-]{43})/.exec(text)?.[1]).findLast(Boolean) ?? '';
  };
  await expect.poll(found).not.toBe('');
  return found();
};
const useLink = (email: string, token: string) =>
  scene.stage.caller()('/api/user/reset', { method: 'POST', body: { email, token } });

const ends: readonly (readonly [string, (person: Person) => Promise<unknown>])[] = [
  [
    'a new password of their own',
    ({ session }) =>
      session('/api/user/self', {
        method: 'PUT',
        body: { password: NEW_PASSWORD, original_password: PASSWORD },
      }),
  ],
  [
    'a password an admin gave',
    ({ user }) => scene.asRoot('/api/user', { method: 'PUT', body: { id: user.id, password: NEW_PASSWORD } }),
  ],
  ['a password by mail', async ({ email }) => useLink(email, await linkTo(email))],
  [
    'being disabled, also once enabled again',
    async ({ user }) => {
      await manage(user.id, 'disable');
      return manage(user.id, 'enable');
    },
  ],
  ['a higher rank', ({ user }) => manage(user.id, 'promote')],
];

describe('an access token ends with', () => {
  it.each(ends)('%s', async (_, end) => {
    const person = await somebody();
    expect(await statusOf(person.token)).toBe(200);
    expect(await end(person)).toMatchObject({ success: true });
    expect(await statusOf(person.token)).toBe(401);
  });

  it.each(ends)('%s, also if it is made at that moment in a stolen session', async (_, end) => {
    for (let round = 0; round < 4; round += 1) {
      const person = await somebody();
      const stolen = scene.stage.caller(await scene.stage.session(person.user));
      const made: Got[] = [];
      let isOver = false;
      const ask = async (): Promise<void> => {
        while (!isOver) made.push(await stolen('/api/user/token'));
      };
      const asking = Array.from({ length: 4 }, ask);
      const ended = await end(person).finally(() => (isOver = true));
      await Promise.all(asking);
      expect(ended).toMatchObject({ success: true });
      // Each took the place of the one before, so only late ones could still count.
      const tokens = made.filter(({ success }) => success === true).slice(-100);
      const callers = tokens.map(({ data }) =>
        scene.stage.caller(accessTokenHeaders(String(data), person.user.id)),
      );
      expect(await Promise.all(callers.map(statusOf))).toEqual(callers.map(() => 401));
    }
  });

  it('a lower rank', async () => {
    const { user, token } = await somebody(role.admin);
    expect((await manage(user.id, 'demote')).success).toBe(true);
    expect(await statusOf(token)).toBe(401);
  });

  it('the second factor, where an admin takes that away', async () => {
    const { user, token } = await somebody();
    await scene.stage.passkey(user);
    expect((await scene.asRoot(`/api/user/${user.id}/2fa`, { method: 'DELETE' })).success).toBe(true);
    expect(await statusOf(token)).toBe(401);
  });

  it('a rescue of the super admin', async () => {
    const token = scene.stage.caller(await scene.stage.accessToken(scene.root));
    expect(await statusOf(token)).toBe(200);
    await scene.server.parts.rescue();
    expect(await statusOf(token)).toBe(401);
    await scene.restart();
  });

  it('nothing else: another name leaves it', async () => {
    const { session, token } = await somebody();
    expect(
      (await session('/api/user/self', { method: 'PUT', body: { display_name: 'Renamed' } })).success,
    ).toBe(true);
    expect(await statusOf(token)).toBe(200);
  });
});

it('an access token sets no new password, though it brings the old one', async () => {
  const { user, token, session } = await somebody();
  const body = { password: NEW_PASSWORD, original_password: PASSWORD };
  expect((await token('/api/user/self', { method: 'PUT', body })).status).toBe(403);
  expect([await statusOf(token), await statusOf(session)]).toEqual([200, 200]);
  const signedIn = await scene.stage.caller()('/api/user/login', {
    method: 'POST',
    body: { username: user.username, password: PASSWORD },
  });
  expect(signedIn.success).toBe(true);
  expect((await token('/api/user/self', { method: 'PUT', body: { display_name: 'renamed' } })).success).toBe(
    true,
  );
});

const followedBy =
  <Given extends unknown[], Answer>(
    real: (...given: Given) => Promise<Answer>,
    then: () => Promise<unknown>,
  ) =>
  async (...given: Given): Promise<Answer> => {
    const answer = await real(...given);
    await then();
    return answer;
  };

/** Lets `then` happen once, right after the next password was found right, or a new one was hashed. */
const after = (step: 'verify' | 'hash', then: () => Promise<unknown>): void => {
  const { passwords } = scene.server.parts;
  if (step === 'verify') vi.spyOn(passwords, step).mockImplementationOnce(followedBy(passwords.verify, then));
  else vi.spyOn(passwords, step).mockImplementationOnce(followedBy(passwords.hash, then));
};

describe('changes made while a password is being checked or hashed count', () => {
  const login = ({ user }: Person) =>
    scene.stage.caller()('/api/user/login', {
      method: 'POST',
      body: { username: user.username, password: PASSWORD },
    });
  const setByAdmin = ({ user }: Person) =>
    scene.asRoot('/api/user', { method: 'PUT', body: { id: user.id, password: NEW_PASSWORD } });
  const sessionsOf = async ({ user }: Person): Promise<number> =>
    (await scene.server.parts.sessions.listOf(user.id)).length;
  const isPassword = async ({ user }: Person, password: string): Promise<boolean> => {
    const { users } = scene.server.parts.stores;
    return scene.server.parts.passwords.verify(password, await users.passwordHashOf(user.id));
  };

  it.each([
    ['another password', setByAdmin],
    ['a ban', ({ user }: Person) => manage(user.id, 'disable')],
    ['the end of the account', ({ user }: Person) => manage(user.id, 'delete')],
  ])('%s leaves no session to a sign-in under way', async (_, change) => {
    const person = await somebody();
    after('verify', () => change(person));
    expect(await login(person)).toMatchObject({ success: false });
    expect(await sessionsOf(person)).toBe(0);
  });

  it('a password set by an admin cannot be replaced with the old one', async () => {
    const person = await somebody();
    const body = { password: 'a third long password', original_password: PASSWORD };
    after('verify', () => setByAdmin(person));
    expect(await person.session('/api/user/self', { method: 'PUT', body })).toMatchObject({ success: false });
    expect(await isPassword(person, NEW_PASSWORD)).toBe(true);
  });

  it('a lower rank cannot set the password of an account that became an admin', async () => {
    const person = await somebody();
    const admin = await somebody(role.admin);
    after('hash', () => scene.stage.set(person.user, { role: role.admin }));
    const body = { id: person.user.id, password: NEW_PASSWORD };
    expect(await admin.session('/api/user', { method: 'PUT', body })).toMatchObject({ success: false });
    expect(await isPassword(person, PASSWORD)).toBe(true);
  });

  it('a former admin cannot set a password', async () => {
    const person = await somebody();
    const admin = await somebody(role.admin);
    after('hash', () => manage(admin.user.id, 'demote'));
    const body = { id: person.user.id, password: NEW_PASSWORD };
    expect(await admin.session('/api/user', { method: 'PUT', body })).toMatchObject({ success: false });
    expect(await isPassword(person, PASSWORD)).toBe(true);
  });
});

describe('with the old password ends too', () => {
  it('a link that was mailed before', async () => {
    const { user, email, session } = await somebody();
    const token = await linkTo(email);
    const body = { password: NEW_PASSWORD, original_password: PASSWORD };
    expect((await session('/api/user/self', { method: 'PUT', body })).success).toBe(true);
    expect((await useLink(email, token)).success).toBe(false);
    const { users } = scene.server.parts.stores;
    expect(await users.passwordHashOf(user.id)).toBeTruthy();
    expect(await statusOf(session)).toBe(200);
  });

  it('a sign-in that had only its second step left', async () => {
    const { user, session } = await somebody();
    const post = (path: string, body?: object) => session(path, { method: 'POST', body });
    const { secret } = (await post('/api/user/2fa/setup')).data as { secret: string };
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const codes = (await post('/api/user/2fa/enable', { code: app.generate() })).data as string[];
    const login = { username: user.username, password: PASSWORD };
    const begun = await scene.stage.caller()('/api/user/login', { method: 'POST', body: login });
    const { ticket } = begun.data as { ticket: string };
    const body = { password: NEW_PASSWORD, original_password: PASSWORD };
    expect((await session('/api/user/self', { method: 'PUT', body })).success).toBe(true);
    const finish = { ticket, code: codes[0] };
    const answer = await scene.stage.caller()('/api/user/login/2fa', { method: 'POST', body: finish });
    expect([answer.success, answer.data]).toEqual([false, null]);
  });

  it('no password of a banned account is reset by a link from before', async () => {
    const { user, email } = await somebody();
    const token = await linkTo(email);
    await scene.stage.set(user, { status: userStatus.disabled });
    expect((await useLink(email, token)).success).toBe(false);
  });
});
