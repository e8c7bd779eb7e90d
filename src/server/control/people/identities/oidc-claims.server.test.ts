import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';

/** An OpenID service whose answers are about somebody else, or for somebody else. Source: OpenID Connect Core, 3.1.3.7. */

type Claims = Record<string, unknown>;

const CLIENT = 'our-client';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let service: Server;
let issuer: string;
let scene: Scene;
/** What the service says next; reset before each test. */
let document: (usual: Claims) => Claims;
let idToken: (usual: Claims) => string | undefined;
/** Where it takes the secret of this client. */
let secretIn: 'form' | 'header';
let userInfo: Claims;
/** Whether the profile comes as a token. */
let isSigned: boolean;
/** Where the secret came. */
let ways: string[];
let count = 0;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (claims: Claims, header: Claims = { alg: 'RS256' }): string => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
};

const without = (claims: Claims, name: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name));

const answer = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const usualClaims = (nonce: string): Claims => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, sub: userInfo['sub'], aud: CLIENT, iat: now, exp: now + 300, nonce };
};

beforeAll(async () => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = new URLSearchParams(await text(request));
    const { pathname } = new URL(request.url ?? '', 'http://here');
    if (pathname === '/.well-known/openid-configuration')
      return answer(
        response,
        document({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      );
    if (pathname === '/userinfo' && isSigned)
      return void response.writeHead(200, { 'content-type': 'application/jwt' }).end(signed(userInfo));
    if (pathname === '/userinfo') return answer(response, userInfo);
    const given = sent.has('client_secret') ? 'form' : 'header';
    ways.push(given);
    if (given !== secretIn)
      return void response
        .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="here"' })
        .end(JSON.stringify({ error: 'invalid_client' }));
    // The code of a sign-in is its nonce.
    const id_token = idToken(usualClaims(sent.get('code') ?? ''));
    const tokens = { access_token: 'a', token_type: 'bearer' };
    return answer(response, { ...tokens, ...(id_token !== undefined && { id_token }) });
  };
  service = createServer((request, response) => void serve(request, response));
  issuer = await listening(service);
  scene = await openScene();
  await scene.set('oidc.well_known', `${issuer}/.well-known/openid-configuration`);
  await scene.set('oidc.client_id', CLIENT);
  await scene.set('oidc.client_secret', 'a secret');
  await scene.set('oidc.enabled', true);
});
afterAll(async () => {
  await scene.close();
  hangUp(service);
});
beforeEach(() => {
  count += 1;
  secretIn = 'header';
  ways = [];
  isSigned = false;
  userInfo = { sub: `person-${count}`, preferred_username: `person${count}` };
  document = (usual) => usual;
  idToken = (usual) => signed(usual);
});

interface Begun {
  readonly got: Got;
  readonly state: string;
  readonly nonce: string;
  readonly cookie: string;
}

const begin = async (): Promise<Begun> => {
  const got = await createCaller(scene.server.url)('/api/oauth/state?provider=oidc');
  const address = String((JSON.parse(got.text) as { authorize_url?: string }).authorize_url);
  const nonce = URL.canParse(address) ? (new URL(address).searchParams.get('nonce') ?? '') : '';
  const cookie = got.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { got, state: String(got.data), nonce, cookie };
};
const comeBack = ({ state, nonce, cookie }: Begun): Promise<Got> =>
  createCaller(scene.server.url, { cookie })(`/api/oauth/oidc?code=${nonce}&state=${state}`);
const arrive = async (): Promise<Got> => comeBack(await begin());

it('a correct answer confirms the user', async () => {
  expect((await arrive()).data).toMatchObject({ username: `person${count}` });
});

it.each([
  ['a service that names no way is given the secret in a header', undefined, 'header', ['header']],
  ['one that takes it in a header only, there', ['client_secret_basic'], 'header', ['header']],
  ['one that takes it in the form, there', ['client_secret_post', 'private_key_jwt'], 'form', ['form']],
  [
    'one that takes both ways, but another from this client, is asked again in that one',
    ['client_secret_basic', 'client_secret_post'],
    'header',
    ['form', 'header'],
  ],
] as const)('%s', async (_, named, takes, given) => {
  document = (usual) => ({ ...usual, token_endpoint_auth_methods_supported: named });
  secretIn = takes;
  expect((await arrive()).data).toMatchObject({ username: `person${count}` });
  expect(ways).toEqual(given);
});

describe('nobody is confirmed by an id token', () => {
  const past = (): number => Math.floor(Date.now() / 1000) - 3600;
  const others: Readonly<Record<string, (usual: Claims) => string | undefined>> = {
    'for another client': (usual) => signed({ ...usual, aud: 'another-client' }),
    'for several, of which another was meant': (usual) =>
      signed({ ...usual, aud: [CLIENT, 'another-client'], azp: 'another-client' }),
    'for nobody': (usual) => signed(without(usual, 'aud')),
    'of another service': (usual) => signed({ ...usual, iss: 'https://elsewhere.example' }),
    'of no service': (usual) => signed(without(usual, 'iss')),
    'of another sign-in': (usual) => signed({ ...usual, nonce: 'of another sign-in' }),
    'of no sign-in': (usual) => signed(without(usual, 'nonce')),
    'whose time is over': (usual) => signed({ ...usual, exp: past() }),
    'without an end': (usual) => signed(without(usual, 'exp')),
    'that begins later': (usual) => signed({ ...usual, nbf: Math.floor(Date.now() / 1000) + 3600 }),
    'of somebody else than the profile': (usual) => signed({ ...usual, sub: 'root' }),
    'of nobody': (usual) => signed(without(usual, 'sub')),
    'that nobody signed': (usual) => `${part({ alg: 'none' })}.${part(usual)}.`,
    'signed with what everybody knows': (usual) => signed(usual, { alg: 'HS256' }),
    'that is none': () => 'no token at all',
    'that was left out': () => undefined,
  };

  it.each(Object.entries(others))('%s', async (_, make) => {
    idToken = make;
    const got = await arrive();
    expect([got.success, got.headers.getSetCookie()]).toEqual([false, []]);
    expect(got.message).toMatch(/did not confirm who you are/);
  });
});

it('a profile that comes as a token is read as one', async () => {
  isSigned = true;
  expect((await arrive()).data).toMatchObject({ username: `person${count}` });
  userInfo = { ...userInfo, sub: 'somebody-else' };
  idToken = (usual) => signed({ ...usual, sub: `person-${count}` });
  expect((await arrive()).success).toBe(false);
});

it('a profile of somebody else than the id token confirms nobody, and makes no account', async () => {
  const real = String(userInfo['sub']);
  idToken = (usual) => signed({ ...usual, sub: real });
  userInfo = { ...userInfo, sub: 'somebody-else' };
  expect((await arrive()).success).toBe(false);
  const { identities } = scene.server.parts.stores;
  expect(await identities.byIdentity('oidc', real)).toBeUndefined();
  expect(await identities.byIdentity('oidc', 'somebody-else')).toBeUndefined();
});

describe('an unsafe discovery document redirects nobody', () => {
  it.each<[string, (usual: Claims) => Claims]>([
    [
      'whose page runs in ours',
      (usual) => ({ ...usual, authorization_endpoint: 'javascript:alert(document.domain)//' }),
    ],
    ['whose page is a file', (usual) => ({ ...usual, authorization_endpoint: 'file:///etc/passwd' })],
    [
      'whose page is data',
      (usual) => ({ ...usual, authorization_endpoint: 'data:text/html,<script>1</script>' }),
    ],
    ['without a page', (usual) => without(usual, 'authorization_endpoint')],
  ])('%s', async (_, change) => {
    document = change;
    const { got } = await begin();
    expect([got.status, got.success]).toEqual([200, false]);
    expect(got.text).not.toMatch(/javascript:|file:|data:/);
  });
});

describe('a description of the service', () => {
  it.each([
    ['another host', () => 'https://elsewhere.example'],
    ['another path', () => `${issuer}/tenants/other`],
    ['a host whose name begins the same', () => `${issuer}.elsewhere.example`],
    ['no address', () => 'the service'],
  ])('that names %s as its issuer is not believed', async (_, other) => {
    document = (usual) => ({ ...usual, issuer: other() });
    idToken = (usual) => signed({ ...usual, iss: other() });
    const { got } = await begin();
    expect([got.success, got.message]).toEqual([
      false,
      expect.stringContaining('its description is of another issuer'),
    ]);
  });

  it('is believed with or without a slash at the end of its issuer', async () => {
    document = (usual) => ({ ...usual, issuer: `${issuer}/` });
    idToken = (usual) => signed({ ...usual, iss: `${issuer}/` });
    expect((await arrive()).success).toBe(true);
  });
});

it('a new user who returns in many windows at once gets one account and is signed in everywhere', async () => {
  const windows = await Promise.all(Array.from({ length: 12 }, begin));
  const answers = await Promise.all(windows.map(comeBack));
  expect(answers.map(({ message }) => message)).toEqual(answers.map(() => ''));
  expect(new Set(answers.map(({ data }) => (data as { id: number }).id)).size).toBe(1);
});

it('of several accounts that bind one identity at once one succeeds, and the others are told', async () => {
  const { stage } = scene;
  const journeys = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const session = await stage.session(await stage.person(`binds-${at}`));
      const got = await createCaller(scene.server.url, session)('/api/oauth/state?provider=oidc');
      const { authorize_url: address } = JSON.parse(got.text) as { authorize_url: string };
      const cookie = [session['Cookie'], got.headers.getSetCookie()[0]?.split(';')[0]].join('; ');
      const nonce = new URL(address).searchParams.get('nonce') ?? '';
      const path = `/api/oauth/oidc?code=${nonce}&state=${String(got.data)}`;
      return () => createCaller(scene.server.url, { ...session, Cookie: cookie })(path);
    }),
  );
  const answers = await Promise.all(journeys.map((come) => come()));
  expect(answers.filter(({ message }) => message === 'bind')).toHaveLength(1);
  expect(answers.filter(({ message }) => message.endsWith('to another user'))).toHaveLength(7);
});

it('of a service that is not described, what it says of its issuer is not asked for and keeps nobody out', async () => {
  await scene.set('oidc.enabled', false);
  await scene.set('oidc.client_secret', '');
  await scene.set('oidc.well_known', '');
  await scene.set('oidc.authorization_endpoint', `${issuer}/authorize`);
  await scene.set('oidc.token_endpoint', `${issuer}/token`);
  await scene.set('oidc.user_info_endpoint', `${issuer}/userinfo`);
  await scene.set('oidc.client_secret', 'a secret');
  await scene.set('oidc.enabled', true);
  secretIn = 'form';
  idToken = (usual) => signed({ ...usual, iss: `${issuer}/realms/one`, aud: 'another-client' });
  const { state, nonce, cookie } = await begin();
  expect(nonce).toBe('');
  const given = new URLSearchParams({ state, code: 'c', iss: `${issuer}/realms/one` });
  const got = await createCaller(scene.server.url, { cookie })(`/api/oauth/oidc?${given.toString()}`);
  expect([got.message, got.data]).toEqual(['', expect.objectContaining({ username: `person${count}` })]);
});
