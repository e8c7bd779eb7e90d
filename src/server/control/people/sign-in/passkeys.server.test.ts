import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { role, userStatus } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { type Caller, createCaller } from '../../../http/testing/caller.ts';
import { type Ceremony, createSoftwareAuthenticator } from '../../../http/testing/software-authenticator.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let root: Caller;
/** Browsers make no passkeys for a bare address. */
let origin = '';
let anonymous: Caller;
let count = 0;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  origin = server.url.replace('127.0.0.1', 'localhost');
  anonymous = createCaller(origin);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const post = (call: Caller, path: string, body?: unknown) => call(path, { method: 'POST', body });
const set = (key: string, value: unknown) =>
  root('/api/option', { method: 'PUT', body: { key, value: String(value) } });

interface Begun {
  readonly challenge: string;
  readonly rpId?: string;
  readonly user?: { readonly id: string; readonly name: string };
}

const begin = async (call: Caller, what: 'register' | 'login') => {
  const got = await post(call, `/api/user/passkey/${what}/begin`);
  return { got, begun: got.data as Begun };
};

/** Somebody with a passkey, signed in. */
const holder = async () => {
  const user = await stage.person(`h${(count += 1)}`);
  const call = createCaller(origin, await stage.session(user));
  const device = createSoftwareAuthenticator();
  const { begun } = await begin(call, 'register');
  const credential = device.make({ challenge: begun.challenge, origin });
  const made = await post(call, '/api/user/passkey/register/finish', { name: 'laptop', credential });
  expect(made.message).toBe('');
  return { user, call, device, userHandle: begun.user?.id ?? '' };
};

type Device = ReturnType<typeof createSoftwareAuthenticator>;

const signIn = async (device: Device, more: Partial<Ceremony> = {}) => {
  const { begun } = await begin(anonymous, 'login');
  const credential = device.prove({ challenge: begun.challenge, origin, ...more });
  return post(anonymous, '/api/user/passkey/login/finish', { credential });
};

const passkeysOf = async (call: Caller) =>
  (await call('/api/user/passkeys')).data as { id: number; name: string; last_used_at: number | null }[];

const forgetPassword = (user: User): Promise<boolean> =>
  server.parts.stores.users.setPasswordHash(user.id, '');

describe('a passkey', () => {
  it('is created by a signed-in user, and signs in without name or password', async () => {
    const { user, call, device, userHandle } = await holder();
    expect(await passkeysOf(call)).toMatchObject([{ name: 'laptop', last_used_at: null }]);
    const got = await signIn(device, { userHandle });
    expect(got.data).toMatchObject({ id: user.id, username: user.username });
    const session = (got.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const inside = createCaller(origin, { Cookie: session, 'New-Api-User': String(user.id) });
    expect((await inside('/api/user/self')).data).toMatchObject({ id: user.id });
    expect((await passkeysOf(call))[0]?.last_used_at).toBeGreaterThan(1_700_000_000);
  });

  it('tells the browser to check who holds the device, and never the name of an account', async () => {
    const { call, user } = await holder();
    const { begun } = await begin(call, 'register');
    expect(begun).toMatchObject({
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      rp: { id: 'localhost' },
      user: { name: user.username },
    });
    expect(begun).toMatchObject({ excludeCredentials: [{ transports: ['internal'] }] });
    const login = await begin(anonymous, 'login');
    expect(login.begun).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(login.got.text).not.toContain('allowCredentials');
  });

  it('counts as both steps of two-step sign-in', async () => {
    const { user, call, device } = await holder();
    const { secret } = (await post(call, '/api/user/2fa/setup')).data as { secret: string };
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await post(call, '/api/user/2fa/enable', { code })).success).toBe(true);
    const byPassword = await post(anonymous, '/api/user/login', {
      username: user.username,
      password: PASSWORD,
    });
    expect(byPassword.data).toMatchObject({ require_2fa: true });
    expect((await signIn(device)).data).toMatchObject({ id: user.id });
  });

  it('proves again who is there, but only its own holder', async () => {
    const { user, call, device } = await holder();
    const own = createCaller(origin, await stage.session(user));
    await server.parts.stores.database.writer
      .updateTable('sessions')
      .set({ fresh_until: 0 })
      .where('user_id', '=', user.id)
      .execute();
    expect((await post(own, '/api/user/passkey/register/begin')).status).toBe(403);
    const other = await holder();
    const confirm = async (by: Device) => {
      const { begun } = await begin(anonymous, 'login');
      const credential = by.prove({ challenge: begun.challenge, origin });
      return post(own, '/api/user/confirm', { credential });
    };
    expect((await confirm(other.device)).message).toBe('this passkey is not known here');
    expect((await post(own, '/api/user/passkey/register/begin')).status).toBe(403);
    expect((await confirm(device)).message).toBe('');
    expect((await post(own, '/api/user/passkey/register/begin')).success).toBe(true);
    expect((await passkeysOf(call)).length).toBe(1);
  });
});

describe('an answer of a device is refused', () => {
  it('the second time, and for a challenge of another purpose', async () => {
    const { call, device } = await holder();
    const { begun } = await begin(anonymous, 'login');
    const credential = device.prove({ challenge: begun.challenge, origin });
    const send = () => post(anonymous, '/api/user/passkey/login/finish', { credential });
    const both = await Promise.all([send(), send()]);
    expect(both.filter((got) => got.success)).toHaveLength(1);
    expect((await send()).message).toBe('this took too long, sign in again');
    const { begun: registering } = await begin(call, 'register');
    expect((await signIn(device, { challenge: registering.challenge })).success).toBe(false);
    const { begun: signingIn } = await begin(anonymous, 'login');
    const made = createSoftwareAuthenticator().make({ challenge: signingIn.challenge, origin });
    const kept = await post(call, '/api/user/passkey/register/finish', { name: 'x', credential: made });
    expect(kept.message).toBe('this took too long, sign in again');
  });

  it('from a copied key: of two that count the same, looked up before either was noted, one signs in', async () => {
    const { device } = await holder();
    const { passkeys } = server.parts.stores;
    const look = passkeys.byCredential;
    let looked = 0;
    const bothLooked = Promise.withResolvers<void>();
    const patient = vi.spyOn(passkeys, 'byCredential').mockImplementation(async (id) => {
      const found = await look(id);
      if ((looked += 1) === 2) bothLooked.resolve();
      await bothLooked.promise;
      return found;
    });
    const both = await Promise.all([1, 2].map(() => signIn(device, { counter: 9 })));
    patient.mockRestore();
    expect(both.map((got) => got.message).toSorted()).toEqual([
      '',
      'the passkey was not confirmed: it was used twice at once',
    ]);
    const sessions = both
      .flatMap((got) => got.headers.getSetCookie())
      .filter((one) => one.includes('session'));
    expect(sessions).toHaveLength(1);
  });

  it("in another session's name", async () => {
    const { user, call } = await holder();
    const stranger = createCaller(origin, await stage.session(user));
    const { begun } = await begin(call, 'register');
    const credential = createSoftwareAuthenticator().make({ challenge: begun.challenge, origin });
    const body = { name: 'x', credential };
    expect((await post(stranger, '/api/user/passkey/register/finish', body)).message).toMatch(/too long/);
  });

  it.each([
    ['the device did not check who holds it', { isVerified: false }, /verif/i],
    ['it was made on another site', { origin: 'https://evil.example' }, /origin/i],
    ['its counter goes back: the key was copied', { counter: 1 }, /may have been copied/],
    ['it names another user', { userHandle: 'somebody' }, /not known here/],
  ] as const)('because %s', async (_, wrong, message) => {
    const { device } = await holder();
    expect((await signIn(device, { counter: 7 })).success).toBe(true);
    const got = await signIn(device, wrong);
    expect([got.success, got.headers.getSetCookie()]).toEqual([false, []]);
    expect(got.message).toMatch(message);
  });

  it('because it is of a device nobody registered, or of another key', async () => {
    const { device } = await holder();
    expect((await signIn(createSoftwareAuthenticator())).message).toBe('this passkey is not known here');
    const { begun } = await begin(anonymous, 'login');
    const [right, wrong] = [device, createSoftwareAuthenticator()].map((by) =>
      by.prove({ challenge: begun.challenge, origin, counter: 9 }),
    );
    const credential = { ...right, response: { ...right?.response, signature: wrong?.response.signature } };
    const got = await post(anonymous, '/api/user/passkey/login/finish', { credential });
    expect(got.message).toMatch(/not confirmed/);
  });

  it.each([
    ['nested without an end', Buffer.alloc(40_000, 0x81)],
    ['no object', Buffer.alloc(300)],
  ])('in our own words where it is %s', async (_, bytes) => {
    const { call } = await holder();
    const { begun } = await begin(call, 'register');
    const made = createSoftwareAuthenticator().make({ challenge: begun.challenge, origin });
    const response = { ...made.response, attestationObject: bytes.toString('base64url') };
    const body = { name: 'x', credential: { ...made, response } };
    const got = await post(call, '/api/user/passkey/register/finish', body);
    expect(got.message).toBe('the passkey was not confirmed: the answer cannot be read');
  });

  it('because its holder is banned, or gone', async () => {
    const banned = await holder();
    await stage.set(banned.user, { status: userStatus.disabled });
    expect((await signIn(banned.device)).success).toBe(false);
    const gone = await holder();
    const left = await gone.call('/api/user/self', { method: 'DELETE' });
    expect(left.success).toBe(true);
    expect((await signIn(gone.device)).message).toBe('this passkey is not known here');
  });
});

describe('the own passkeys', () => {
  it('are named and removed by their holder, who keeps a way in', async () => {
    const { user, call, device } = await holder();
    const [first] = await passkeysOf(call);
    const path = `/api/user/passkeys/${first?.id}`;
    expect((await call(path, { method: 'PUT', body: { name: ' desk ' } })).success).toBe(true);
    expect(await passkeysOf(call)).toMatchObject([{ name: 'desk' }]);
    await forgetPassword(user);
    expect((await call(path, { method: 'DELETE' })).message).toMatch(/last way to sign in/);
    await server.parts.stores.users.setPasswordHash(user.id, await server.parts.passwords.hash(PASSWORD));
    expect((await call(path, { method: 'DELETE' })).message).toBe('');
    expect((await signIn(device)).message).toBe('this passkey is not known here');
  });

  it('a password is no way in where the site has switched it off', async () => {
    const { call } = await holder();
    const [first] = await passkeysOf(call);
    await set('PasswordLoginEnabled', false);
    const got = await call(`/api/user/passkeys/${first?.id}`, { method: 'DELETE' });
    await set('PasswordLoginEnabled', true);
    expect(got.message).toMatch(/last way to sign in/);
  });

  it('keep an identity from being the last way in', async () => {
    const { user, call } = await holder();
    const { identities } = server.parts.stores;
    await forgetPassword(user);
    await identities.setIdentity(user.id, 'github', `gh-${user.id}`);
    expect((await call('/api/oauth/github/bind', { method: 'DELETE' })).message).toBe('');
  });
});

describe('the site', () => {
  it('refuses sign-in by passkey once they are switched off', async () => {
    const { call, device } = await holder();
    const { begun } = await begin(anonymous, 'login');
    await set('PasskeyLoginEnabled', false);
    expect((await anonymous('/api/status')).data).toMatchObject({ passkey_login: false });
    const credential = device.prove({ challenge: begun.challenge, origin });
    const answers = [
      await post(anonymous, '/api/user/passkey/login/finish', { credential }),
      (await begin(anonymous, 'login')).got,
      (await begin(call, 'register')).got,
    ];
    await set('PasskeyLoginEnabled', true);
    expect(answers.map((got) => got.message)).toEqual(
      Array.from({ length: 3 }, () => 'passkeys are disabled by the administrator'),
    );
  });

  it('needs a name of its own, and its own address comes before what the browser says', async () => {
    const bare = await begin(createCaller(server.url), 'login');
    expect(bare.got.message).toContain(server.url);
    const { device } = await holder();
    const { begun } = await begin(anonymous, 'login');
    await set('ServerAddress', 'https://gate.example/');
    const named = await begin(anonymous, 'login');
    const credential = device.prove({ challenge: begun.challenge, origin });
    const late = await post(anonymous, '/api/user/passkey/login/finish', { credential });
    await set('ServerAddress', '');
    expect(named.begun.rpId).toBe('gate.example');
    expect(late.message).toBe('this took too long, sign in again');
  });
});
