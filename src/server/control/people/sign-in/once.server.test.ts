import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityServer, startIdentityServer } from '../../../../simulator/identity/start.ts';
import { type MailServer, startMailServer } from '../../../../simulator/mail/start.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { createSoftwareAuthenticator } from '../../../http/testing/software-authenticator.ts';
import { PASSWORD } from '../../../http/testing/stage.ts';
import { openTwoNodes, type TwoNodes } from '../../../http/testing/two-nodes.ts';
import { newUser } from '../../../store/testing/accounts.ts';

/** What proves somebody once proves them once, also where many ask at once at two nodes. */

const MANY = 12;
let nodes: TwoNodes;
let mail: MailServer;
let services: IdentityServer;
let count = 0;

beforeAll(async () => {
  [mail, services] = await Promise.all([startMailServer(['--plain']), startIdentityServer()]);
  nodes = await openTwoNodes('PostgreSQL', async ({ set }) => {
    await set('SMTPServer', '127.0.0.1');
    await set('SMTPPort', mail.port);
    await set('SMTPFrom', 'gate@site.example');
    await set('ServerAddress', 'https://gate.example');
    await set('EmailVerificationEnabled', true);
    await set('oidc.well_known', `${services.url}/.well-known/openid-configuration`);
    await set('oidc.client_id', 'simulated-client');
    await set('oidc.client_secret', 'simulated-secret');
    await set('oidc.enabled', true);
  });
});
afterAll(async () => {
  await nodes.close();
  await Promise.all([mail.stop(), services.stop()]);
});

const urls = () => [nodes.here.server.url, nodes.there.url];
const somebody = () => nodes.here.stage.person(`once-${(count += 1)}`);
/** The same at once, in turn at both nodes. */
const atOnce = (ask: (url: string, at: number) => Promise<Got>): Promise<readonly Got[]> =>
  Promise.all(Array.from({ length: MANY }, (_, at) => ask(urls()[at % 2] ?? '', at)));
const post = (url: string, path: string, body: unknown, headers = {}): Promise<Got> =>
  createCaller(url, headers)(path, { method: 'POST', body });
const right = (answers: readonly Got[]) => answers.filter(({ success }) => success);
const mailedTo = async (email: string, found: RegExp): Promise<string> => {
  const read = async () => {
    const text = (await mail.mails()).findLast(({ to }) => to.includes(email))?.text ?? '';
    return found.exec(text.replace(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';
  };
  await expect.poll(read).not.toBe('');
  return read();
};

/** Somebody with a second factor, its codes, and a way to begin a sign-in. */
const withCodes = async () => {
  const user = await somebody();
  const call = nodes.here.stage.caller(await nodes.here.stage.session(user));
  const { secret } = (await call('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
  const codeIn = (ms: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms });
  const enabled = await call('/api/user/2fa/enable', { method: 'POST', body: { code: codeIn(0) } });
  const ticket = async (url: string) =>
    (
      (await post(url, '/api/user/login', { username: user.username, password: PASSWORD })).data as {
        ticket: string;
      }
    ).ticket;
  return { user, call, codeIn, backup: enabled.data as string[], ticket };
};

describe('of many at once one gets in', () => {
  it.each(['a code of the app', 'a backup code'] as const)('with %s', async (what) => {
    const { codeIn, backup, ticket } = await withCodes();
    const code = what === 'a backup code' ? (backup[0] ?? '') : codeIn(30_000);
    const tickets = await Promise.all(Array.from({ length: MANY }, (_, at) => ticket(urls()[at % 2] ?? '')));
    const answers = await atOnce((url, at) =>
      post(url, '/api/user/login/2fa', { ticket: tickets[at], code }),
    );
    expect(right(answers)).toHaveLength(1);
  });

  it('with one ticket and ten good codes', async () => {
    const { backup, ticket } = await withCodes();
    const one = await ticket(urls()[0] ?? '');
    const answers = await atOnce((url, at) =>
      post(url, '/api/user/login/2fa', { ticket: one, code: backup[at] ?? 'none' }),
    );
    expect(right(answers)).toHaveLength(1);
  });

  it('with a link by mail, and the password it gave is the one that counts', async () => {
    const user = await somebody();
    const email = `${user.username}@site.example`;
    await nodes.here.server.parts.stores.identities.setEmail(user.id, email);
    await createCaller(urls()[0] ?? '')(`/api/reset_password?email=${email}`);
    const token = await mailedTo(email, /token=([\w-]{43})/);
    const answers = right(await atOnce((url) => post(url, '/api/user/reset', { email, token })));
    expect(answers).toHaveLength(1);
    const password = String(answers[0]?.data);
    expect((await post(urls()[1] ?? '', '/api/user/login', { username: email, password })).success).toBe(
      true,
    );
  });

  it('with a code by mail: one account is made', async () => {
    const email = `mailed-${(count += 1)}@site.example`;
    await createCaller(urls()[1] ?? '')(`/api/verification?email=${email}`);
    const code = await mailedTo(email, /^(\d{6})\r?$/m);
    const answers = await atOnce((url, at) =>
      post(url, '/api/user/register', {
        username: `m${count}-${at}`,
        password: PASSWORD,
        email,
        verification_code: code,
      }),
    );
    expect(right(answers)).toHaveLength(1);
  });

  it('with an answer of a passkey', async () => {
    const user = await somebody();
    const origin = 'https://gate.example';
    const session = await nodes.here.stage.session(user);
    const device = createSoftwareAuthenticator();
    const begun = await post(urls()[1] ?? '', '/api/user/passkey/register/begin', undefined, session);
    const made = device.make({ challenge: (begun.data as { challenge: string }).challenge, origin });
    const kept = await atOnce((url) =>
      post(url, '/api/user/passkey/register/finish', { name: 'x', credential: made }, session),
    );
    expect(right(kept)).toHaveLength(1);
    const asked = await post(urls()[0] ?? '', '/api/user/passkey/login/begin', undefined);
    const credential = device.prove({ challenge: (asked.data as { challenge: string }).challenge, origin });
    const answers = await atOnce((url) => post(url, '/api/user/passkey/login/finish', { credential }));
    expect(right(answers)).toHaveLength(1);
  });

  it('with what a service gave back', async () => {
    await services.next({ id: `s${(count += 1)}`, username: `s${count}` });
    const begun = await createCaller(urls()[0] ?? '')('/api/oauth/state?provider=oidc');
    const Cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { authorize_url: address } = JSON.parse(begun.text) as { authorize_url: string };
    const back = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? 'x:');
    const answers = await atOnce((url) => createCaller(url, { Cookie })(`/api/oauth/oidc${back.search}`));
    expect(right(answers)).toHaveLength(1);
  });
});

it('a new user who returns from a service in many windows at once gets one account, signed in everywhere', async () => {
  await services.next({ id: `many-${(count += 1)}`, username: `many${count}` });
  await nodes.here.set('QuotaForNewUser', 500_000);
  await expect.poll(() => nodes.there.parts.routing().options.QuotaForNewUser).toBe(500_000);
  const windows = await Promise.all(
    Array.from({ length: MANY }, async (_, at) => {
      const begun = await createCaller(urls()[at % 2] ?? '')('/api/oauth/state?provider=oidc');
      const Cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const { authorize_url: address } = JSON.parse(begun.text) as { authorize_url: string };
      const back = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? 'x:');
      return { Cookie, search: back.search };
    }),
  );
  const answers = await atOnce((url, at) =>
    createCaller(url, { Cookie: windows[at]?.Cookie ?? '' })(`/api/oauth/oidc${windows[at]?.search ?? ''}`),
  );
  expect(answers.map(({ message }) => message)).toEqual(answers.map(() => ''));
  const ids = new Set(right(answers).map(({ data }) => (data as { id: number }).id));
  expect(ids.size).toBe(1);
  const { users } = nodes.here.server.parts.stores;
  expect((await users.byId([...ids][0] ?? 0))?.quotaUnits).toBe(500_000);
  await nodes.here.set('QuotaForNewUser', 0);
});

describe('of many at once one is kept', () => {
  it('of names that look alike', async () => {
    await nodes.here.set('EmailVerificationEnabled', false);
    await expect
      .poll(async () => (await createCaller(nodes.there.url)('/api/status')).data)
      .toMatchObject({ email_verification: false });
    const names = ['Straße', 'STRASSE', 'strasse', 'ｓtrasse', 'ＳＴＲＡＳＳＥ', 'Strasse'];
    const answers = await atOnce((url, at) =>
      post(url, '/api/user/register', { username: names[at % names.length], password: PASSWORD }),
    );
    expect(right(answers)).toHaveLength(1);
  });

  it('of accounts that bind the same identity', async () => {
    const { identities } = nodes.here.server.parts.stores;
    const others = nodes.there.parts.stores.identities;
    const users = await Promise.all(Array.from({ length: MANY }, somebody));
    const outcomes = await Promise.all(
      users.map(({ id }, at) => (at % 2 === 0 ? identities : others).setIdentity(id, 'github', 'the same')),
    );
    expect(outcomes.filter((outcome) => outcome === 'set')).toHaveLength(1);
  });

  it('of codes that switch two-step sign-in on, and the backup codes it answered work', async () => {
    const user = await somebody();
    const session = await nodes.here.stage.session(user);
    const { secret } = (await post(urls()[0] ?? '', '/api/user/2fa/setup', undefined, session)).data as {
      secret: string;
    };
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const answers = await atOnce((url, at) =>
      post(
        url,
        '/api/user/2fa/enable',
        { code: totp.generate({ timestamp: Date.now() + 30_000 * ((at % 3) - 1) }) },
        session,
      ),
    );
    expect(right(answers)).toHaveLength(1);
    const [backup] = (right(answers)[0]?.data ?? []) as string[];
    const { ticket } = (
      await post(urls()[0] ?? '', '/api/user/login', { username: user.username, password: PASSWORD })
    ).data as { ticket: string };
    expect((await post(urls()[1] ?? '', '/api/user/login/2fa', { ticket, code: backup })).success).toBe(true);
  });
});

it('an inviter earns for each of many who come at once, once, and moves no more than was earned', async () => {
  await nodes.here.set('QuotaForInviter', 500_000);
  await expect.poll(() => nodes.there.parts.routing().options.QuotaForInviter).toBe(500_000);
  const inviter = await somebody();
  const { users } = nodes.here.server.parts.stores;
  const code = (await users.byId(inviter.id))?.affCode;
  const came = await atOnce((url, at) =>
    post(url, '/api/user/register', { username: `inv${at}`, password: PASSWORD, aff_code: code }),
  );
  expect(right(came)).toHaveLength(MANY);
  const earned = async () => (await users.byId(inviter.id))?.affQuotaUnits;
  expect(await earned()).toBe(MANY * 500_000);
  const session = await nodes.here.stage.session(inviter);
  const moved = await atOnce((url) => post(url, '/api/user/aff_transfer', { quota: 5 * 500_000 }, session));
  expect(right(moved)).toHaveLength(2);
  expect(await earned()).toBe(2 * 500_000);
  expect((await users.byId(inviter.id))?.quotaUnits).toBe(10 * 500_000);
});

it('gifts that a crash has kept from a new account are credited once, by both nodes at once', async () => {
  const { id: inviterId, username } = await somebody();
  const { users } = nodes.here.server.parts.stores;
  const inviter = { id: inviterId, username };
  const gifts = { ofNewUser: 1000, ofInvitee: 200, ofInviter: 300, inviter };
  const id = Number(await users.create(newUser({ gifts })));
  expect(await users.owedGifts()).toMatchObject([{ ...gifts, user: { id } }]);
  const nodesParts = [nodes.here.server.parts, nodes.there.parts];
  await Promise.all(nodesParts.map(({ registration }) => registration.creditOwed()));
  expect(await users.byId(id)).toMatchObject({ quotaUnits: 1200 });
  expect(await users.byId(inviterId)).toMatchObject({ quotaUnits: 0, affQuotaUnits: 300 });
  expect(await users.owedGifts()).toEqual([]);
});
