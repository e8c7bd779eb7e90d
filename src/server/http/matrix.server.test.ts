import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role, userStatus } from '#contract/codes.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import { isOptionKey, optionRow, optionTable } from '#contract/options.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { type SmallUpstream, startSmallUpstream } from './testing/small-upstream.ts';
import { type Answer, callers, type CallerName, type Case, type Scene } from './testing/matrix-case.ts';
import { matrix } from './testing/matrix-cases.ts';
import { PASSWORD, type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';
import type { Got } from './testing/caller.ts';

const nameOf = (endpoint: EndpointShape): string => `${endpoint.method} ${endpoint.path}`;
const isFile = (got: Got): boolean =>
  got.headers.get('content-disposition')?.startsWith('attachment') === true;
const isOf = (got: Got): Answer =>
  got.status === 200 ? (got.success === true || isFile(got) ? 'ok' : 'no') : got.status;

const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let upstream: SmallUpstream;
let stage: Stage;
let root: User;
let other: User;
let count = 0;
/** Both paths have one handler, so that a few callers say whether it is there and as closed with a slash. */
const withSlash: ReadonlySet<CallerName> = new Set(['anonymous', 'user', 'root']);
const slashesOf = (name: CallerName): readonly string[] => (withSlash.has(name) ? ['', '/'] : ['']);
/** Every answer of the matrix, and secrets of users who made no call. */
const texts: string[] = [];
const canaries: string[] = [];

beforeAll(async () => {
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  other = await stage.person('bob');
  const { vault, users } = server.parts.stores;
  const token = await stage.token(other);
  const sessionHeader = (await stage.session(other))['Cookie'] ?? '';
  canaries.push(
    token.key,
    vault.mac(token.key),
    sessionHeader.slice('session='.length),
    server.setupLink?.split('secret=')[1] ?? 'no link',
    (await stage.accessToken(other))['Authorization'] ?? '',
    (await users.passwordHashOf(other.id)) ?? '',
  );
  for (const key of Object.keys(optionTable).filter(isOptionKey)) {
    if (optionRow(key).secret !== true) continue;
    await stage.option(root, key, `secret-of-${key}`);
    canaries.push(`secret-of-${key}`);
  }
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});

/** A new account and its headers, so that no call affects the next. */
const arrive = async (name: CallerName): Promise<{ self: User; headers: Record<string, string> }> => {
  const rank =
    name === 'root' ? role.root : name === 'admin' || name === 'adminToken' ? role.admin : role.user;
  // The call from another site is made by the most powerful account.
  const self = await stage.person(`p${(count += 1)}`, name === 'otherSite' ? role.root : rank);
  switch (name) {
    case 'anonymous':
      return { self, headers: {} };
    case 'accessToken':
    case 'adminToken':
      return { self, headers: await stage.accessToken(self) };
    case 'expired': {
      const headers = await stage.session(self);
      await server.parts.sessions.endAllOf(self.id);
      return { self, headers };
    }
    case 'disabled': {
      const headers = await stage.session(self);
      await stage.set(self, { status: userStatus.disabled });
      return { self, headers };
    }
    case 'stranger':
      return { self, headers: { ...(await stage.session(self)), 'New-Api-User': String(root.id) } };
    case 'otherSite':
      return {
        self,
        headers: {
          ...(await stage.session(self)),
          'Sec-Fetch-Site': 'cross-site',
          Origin: 'https://evil.example',
        },
      };
    case 'user':
    case 'admin':
    case 'root':
      return { self, headers: await stage.session(self) };
  }
};

const sceneOf = (self: User): Scene => ({ stage, upstream, root, self, other, unique: `u${(count += 1)}` });

/** Those who are turned away at the door everywhere: one account of each serves all calls that leave everything as it was. */
const refused = new Map<CallerName, ReturnType<typeof arrive>>();
const refusedOnce = (name: CallerName): ReturnType<typeof arrive> => {
  const known = refused.get(name) ?? arrive(name);
  refused.set(name, known);
  return known;
};

/** Who comes, and what they ask: all who are turned away make one request, all others one of their own. */
const visitsOf = ({ answers, request }: Case) => {
  let ofRefused: ReturnType<Case['request']> | undefined;
  return async (name: CallerName) => {
    const isRefused = typeof answers[name] === 'number';
    const { self, headers } = await (isRefused ? refusedOnce(name) : arrive(name));
    const asked = isRefused ? (ofRefused ??= request(sceneOf(self))) : request(sceneOf(self));
    return { headers, ...(await asked) };
  };
};

/** Calls of admins that read, try or stop something, or keep a draft. All others change the site. */
const CHANGES_NOTHING = new Set([
  'POST /api/channel/affinity/clear',
  'POST /api/channel/explain',
  'POST /api/channel/fetch_models',
  'POST /api/channel/preview',
  'POST /api/channel/prices',
  'POST /api/channel/test',
  'DELETE /api/channel/round/:kind',
  'POST /api/channel/:id/keys/preview',
  'POST /api/channel/:id/keys/test',
  'POST /api/channel/:id/keys/:key_id/test',
  'DELETE /api/channel/keys/round',
  'POST /api/pricing/example',
  'POST /api/price_book/compare',
  'POST /api/price_book/draft',
  'PUT /api/price_book/draft/:id',
  'DELETE /api/price_book/draft/:id',
  'POST /api/price_book/preview',
  'POST /api/reconcile',
  'POST /api/reconcile/columns',
  'POST /api/reconcile/file',
  'DELETE /api/price_book/preview/:id',
  // What it makes is published.
  'POST /api/seal',
]);
const isAction = (endpoint: EndpointShape): boolean =>
  endpoint.method !== 'GET' &&
  ['admin', 'root'].includes(endpoint.access) &&
  !CHANGES_NOTHING.has(nameOf(endpoint));
/** The number of the newest row that says what an admin did. */
const newestAction = async (): Promise<number> => {
  const got = await stage.caller(await stage.session(root))('/api/log?type=3&p=1&page_size=1');
  return (got.data as { items: readonly { id: number }[] }).items[0]?.id ?? 0;
};

describe('every endpoint', () => {
  it('has a row in the matrix, and every row an endpoint', () => {
    expect(Object.keys(matrix).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
  });

  for (const endpoint of endpoints) {
    const one = matrix[nameOf(endpoint)];
    if (one === undefined) continue;
    it(`${nameOf(endpoint)} answers each caller as it should, with and without a slash`, async () => {
      const answers: Record<string, unknown> = {};
      const headersSeen = new Set<string>();
      const areTold = new Set<boolean>();
      const visit = visitsOf(one);
      for (const name of callers) {
        for (const slash of slashesOf(name)) {
          const { headers, path, body } = await visit(name);
          const asksLog = name === 'root' && slash === '' && isAction(endpoint);
          const before = asksLog ? await newestAction() : 0;
          const [bare = '', query] = path.split('?');
          const target = `${bare}${slash}${query === undefined ? '' : `?${query}`}`;
          const got = await stage.caller(headers)(target, { method: endpoint.method, body });
          texts.push(got.text);
          answers[`${name}${slash}`] = isOf(got);
          if (asksLog && isOf(got) === 'ok') areTold.add((await newestAction()) > before);
          headersSeen.add(
            `${got.headers.get('cache-control')} ${got.headers.get('access-control-allow-origin')}`,
          );
        }
      }
      const wanted = Object.fromEntries(
        callers.flatMap((name) => slashesOf(name).map((slash) => [`${name}${slash}`, one.answers[name]])),
      );
      expect(answers).toEqual(wanted);
      expect(areTold, 'whether what an admin did stands in the logs').not.toContain(false);
      // Browsers and proxies cache nothing, and no other site has access.
      expect([...headersSeen]).toEqual(['no-store null']);
    });
  }

  it.each(
    endpoints
      .filter((endpoint) => endpoint.body !== undefined)
      .map((endpoint) => [nameOf(endpoint), endpoint] as const),
  )('%s refuses a field it does not know, by its name', async (name, endpoint) => {
    const { self, headers } = await arrive('root');
    const request = await matrix[name]!.request(sceneOf(self));
    const body = { ...(request.body as object), surprise_field: 1 };
    const got = await stage.caller(headers)(request.path, { method: endpoint.method, body });
    expect([got.status, got.success]).toEqual([400, false]);
    expect(got.message).toContain('surprise_field');
  });

  it.each(Object.entries(matrix).filter(([, one]) => one.about !== undefined))(
    '%s answers about another user’s object exactly as about a missing one',
    async (name, one) => {
      const theirs =
        one.theirs === undefined ? (await stage.token(other)).id : await one.theirs(sceneOf(other));
      const method = name.split(' ')[0] ?? '';
      const ask = async (id: number): Promise<Got> => {
        const { headers } = await arrive('root');
        const { path, body } = one.about!(id);
        return stage.caller(headers)(path, { method, body });
      };
      const [aboutTheirs, aboutNothing] = [await ask(theirs), await ask(999_999)];
      expect(isOf(aboutTheirs)).toBe('no');
      expect([aboutTheirs.status, aboutTheirs.text]).toEqual([aboutNothing.status, aboutNothing.text]);
    },
  );
});

describe('who may read which account', () => {
  it.each([
    ['admin', role.user, 'ok'],
    ['admin', role.admin, 'no'],
    ['admin', role.root, 'no'],
    ['root', role.admin, 'ok'],
    ['root', role.root, 'no'],
  ] as const)('%s asking for an account of rank %i: %s', async (name, rank, answer) => {
    const target = await stage.person(`p${(count += 1)}`, rank);
    const { headers } = await arrive(name);
    const got = await stage.caller(headers)(`/api/user/${target.id}`);
    const missing = await stage.caller(headers)('/api/user/999999');
    expect(isOf(got)).toBe(answer);
    // Which ids exist above their rank is not for admins to find out; the super admin is told.
    expect([got.text === missing.text, missing.message === 'there is no such user']).toEqual([
      answer === 'no' && name === 'admin',
      name === 'root',
    ]);
  });
});

it('no answer to anybody has a secret of anybody else', () => {
  expect(texts.length).toBeGreaterThan(500);
  const secrets = [...canaries, 'sk-canary-channel-key', 'argon2id', PASSWORD];
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
});

it('nothing in the log of the whole matrix is a secret, and nothing failed inside', () => {
  expect(log.lines.filter((line) => /canary|secret-of-|argon2id|a long enough password/.test(line))).toEqual(
    [],
  );
  expect(log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
