import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role, userStatus } from '#contract/codes.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { type SmallUpstream, startSmallUpstream } from './testing/small-upstream.ts';
import { PASSWORD, type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';
import type { Got } from './testing/caller.ts';

/** Who calls. `stranger` has a good session and somebody else's id in `New-Api-User`. */
const callers = [
  'anonymous',
  'user',
  'admin',
  'root',
  'disabled',
  'expired',
  'accessToken',
  'adminToken',
  'stranger',
  'otherSite',
] as const;
type CallerName = (typeof callers)[number];

/** `ok`: success. `no`: the business refused, status 200. A number: that status and no success. */
type Answer = 'ok' | 'no' | 400 | 401 | 403;
type Row = Readonly<Record<CallerName, Answer>>;

const everybody: Row = {
  anonymous: 'ok',
  user: 'ok',
  admin: 'ok',
  root: 'ok',
  disabled: 'ok',
  expired: 'ok',
  accessToken: 'ok',
  adminToken: 'ok',
  stranger: 'ok',
  otherSite: 'ok',
};
const signedIn: Row = {
  ...everybody,
  anonymous: 401,
  disabled: 401,
  expired: 401,
  stranger: 401,
  otherSite: 403,
};
const admins: Row = { ...signedIn, user: 403, accessToken: 403 };
/** Public, but not from a page of another site. */
const ourPages: Row = { ...everybody, otherSite: 403 };
const nobody: Row = {
  anonymous: 'no',
  user: 'no',
  admin: 'no',
  root: 'no',
  disabled: 'no',
  expired: 'no',
  accessToken: 'no',
  adminToken: 'no',
  stranger: 'no',
  otherSite: 403,
};

interface Scene {
  readonly stage: Stage;
  readonly upstream: SmallUpstream;
  readonly root: User;
  /** Whose own objects are asked for. */
  readonly self: User;
  readonly other: User;
  readonly unique: string;
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

interface Case {
  readonly answers: Row;
  /** A request that is right in itself; `id` in the path of an object that is the caller's, or any. */
  request(scene: Scene): Promise<Request> | Request;
  /** For `owner: self` with an id: the same request about another's object, which must answer like a missing one. */
  about?(id: number): Request;
}

const get =
  (path: string): Case['request'] =>
  () => ({ path });
const ownToken = async ({ stage, self }: Scene): Promise<number> => (await stage.token(self)).id;
const aChannel = async ({ stage, root, upstream }: Scene): Promise<number> =>
  (await stage.channel(root, { baseUrl: upstream.url })).id;
const newChannel = { type: 1, name: 'made', key: 'sk-canary-channel-key', models: 'gpt-small' };

/** What every endpoint answers to whom. An endpoint without a row here fails. */
const cases: Readonly<Record<string, Case>> = {
  'GET /api/status': { answers: everybody, request: get('/api/status') },
  'GET /api/setup': { answers: everybody, request: get('/api/setup') },
  'POST /api/setup': {
    answers: nobody,
    request: () => ({
      path: '/api/setup',
      body: { secret: 'x', username: 'second', password: PASSWORD, confirmPassword: PASSWORD },
    }),
  },
  'POST /api/user/register': {
    answers: ourPages,
    request: ({ unique }) => ({ path: '/api/user/register', body: { username: unique, password: PASSWORD } }),
  },
  'POST /api/user/login': {
    answers: ourPages,
    request: ({ other }) => ({
      path: '/api/user/login',
      body: { username: other.username, password: PASSWORD },
    }),
  },
  'GET /api/user/logout': { answers: ourPages, request: get('/api/user/logout') },
  'GET /api/user/self': { answers: signedIn, request: get('/api/user/self') },
  'PUT /api/user/self': {
    answers: signedIn,
    request: () => ({ path: '/api/user/self', body: { display_name: 'renamed' } }),
  },
  'GET /api/user/models': { answers: signedIn, request: get('/api/user/models') },
  'GET /api/user/self/groups': { answers: signedIn, request: get('/api/user/self/groups') },
  'GET /api/user/token': { answers: signedIn, request: get('/api/user/token') },
  'GET /api/user': { answers: admins, request: get('/api/user?p=1&page_size=5') },
  'GET /api/user/search': { answers: admins, request: get('/api/user/search?keyword=a') },
  'GET /api/user/:id': { answers: admins, request: ({ other }) => ({ path: `/api/user/${other.id}` }) },
  'GET /api/models': { answers: signedIn, request: get('/api/models') },
  'GET /api/group': { answers: admins, request: get('/api/group') },
  'GET /api/option': { answers: admins, request: get('/api/option') },
  'PUT /api/option': {
    answers: admins,
    request: () => ({ path: '/api/option', body: { key: 'RetryTimes', value: '1' } }),
  },
  'GET /api/channel': { answers: admins, request: get('/api/channel?id_sort=true') },
  'GET /api/channel/search': {
    answers: admins,
    request: get('/api/channel/search?keyword=a&group=default&model=gpt-small'),
  },
  'GET /api/channel/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${await aChannel(scene)}` }),
  },
  'POST /api/channel': { answers: admins, request: () => ({ path: '/api/channel', body: newChannel }) },
  'PUT /api/channel': {
    answers: admins,
    request: async (scene) => ({ path: '/api/channel', body: { id: await aChannel(scene), priority: 3 } }),
  },
  'DELETE /api/channel/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${await aChannel(scene)}` }),
  },
  'GET /api/channel/test/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/test/${await aChannel(scene)}` }),
  },
  'GET /api/channel/fetch_models/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/fetch_models/${await aChannel(scene)}` }),
  },
  'POST /api/channel/fetch_models': {
    answers: admins,
    request: ({ upstream }) => ({
      path: '/api/channel/fetch_models',
      body: { base_url: upstream.url, type: 1, key: 'sk-canary-channel-key' },
    }),
  },
  'GET /api/channel/models': { answers: admins, request: get('/api/channel/models') },
  'GET /api/channel/models_enabled': { answers: admins, request: get('/api/channel/models_enabled') },
  'GET /api/token': { answers: signedIn, request: get('/api/token?p=0&size=100') },
  'GET /api/token/search': { answers: signedIn, request: get('/api/token/search?keyword=a&token=sk-abc') },
  'GET /api/token/:id': {
    answers: signedIn,
    request: async (scene) => ({ path: `/api/token/${await ownToken(scene)}` }),
    about: (id) => ({ path: `/api/token/${id}` }),
  },
  'POST /api/token': { answers: signedIn, request: () => ({ path: '/api/token', body: { name: 'mine' } }) },
  'POST /api/token/batch': {
    answers: signedIn,
    request: () => ({ path: '/api/token/batch', body: { name: 'mine', count: 2 } }),
  },
  'PUT /api/token': {
    answers: signedIn,
    request: async (scene) => ({ path: '/api/token', body: { id: await ownToken(scene), name: 'renamed' } }),
    about: (id) => ({ path: '/api/token', body: { id, name: 'renamed' } }),
  },
  'DELETE /api/token/:id': {
    answers: signedIn,
    request: async (scene) => ({ path: `/api/token/${await ownToken(scene)}` }),
    about: (id) => ({ path: `/api/token/${id}` }),
  },
  'GET /api/log': { answers: admins, request: get('/api/log?p=1&channel=&username=') },
  'GET /api/log/self': { answers: signedIn, request: get('/api/log/self?p=1') },
  'GET /api/log/stat': { answers: admins, request: get('/api/log/stat?type=2') },
  'GET /api/log/self/stat': { answers: signedIn, request: get('/api/log/self/stat?type=2') },
};

const nameOf = (endpoint: EndpointShape): string => `${endpoint.method} ${endpoint.path}`;
const isOf = (got: Got): Answer | number =>
  got.status === 200 ? (got.success === true ? 'ok' : 'no') : got.status;

const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let upstream: SmallUpstream;
let stage: Stage;
let root: User;
let other: User;
let count = 0;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  other = await stage.person('bob');
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});

/** A caller's account and headers, new each time: no call can spoil the next one's. */
const arrive = async (name: CallerName): Promise<{ self: User; headers: Record<string, string> }> => {
  const rank =
    name === 'root' ? role.root : name === 'admin' || name === 'adminToken' ? role.admin : role.user;
  // The call with the other site's headers is made by the strongest account there is.
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

describe('every endpoint', () => {
  it('has a row in the matrix, and every row an endpoint', () => {
    expect(Object.keys(cases).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
  });

  for (const endpoint of endpoints) {
    const one = cases[nameOf(endpoint)];
    if (one === undefined) continue;
    it(`${nameOf(endpoint)} answers each caller as it should, with and without a slash`, async () => {
      const answers: Record<string, unknown> = {};
      for (const name of callers) {
        for (const slash of ['', '/']) {
          const { self, headers } = await arrive(name);
          const { path, body } = await one.request(sceneOf(self));
          const [bare = '', query] = path.split('?');
          const target = `${bare}${slash}${query === undefined ? '' : `?${query}`}`;
          const got = await stage.caller(headers)(target, { method: endpoint.method, body });
          answers[`${name}${slash}`] = isOf(got);
          expect(got.headers.get('cache-control'), target).toBe('no-store');
          expect(got.headers.get('access-control-allow-origin'), target).toBeNull();
        }
      }
      const wanted = Object.fromEntries(
        callers.flatMap((name) => ['', '/'].map((slash) => [`${name}${slash}`, one.answers[name]])),
      );
      expect(answers).toEqual(wanted);
    });
  }

  it.each(
    endpoints
      .filter((endpoint) => endpoint.body !== undefined)
      .map((endpoint) => [nameOf(endpoint), endpoint] as const),
  )('%s refuses a field it does not know, by its name', async (name, endpoint) => {
    const { self, headers } = await arrive('root');
    const request = await cases[name]!.request(sceneOf(self));
    const body = { ...(request.body as object), surprise_field: 1 };
    const got = await stage.caller(headers)(request.path, { method: endpoint.method, body });
    expect([got.status, got.success]).toEqual([400, false]);
    expect(got.message).toContain('surprise_field');
  });

  it.each(Object.entries(cases).filter(([, one]) => one.about !== undefined))(
    "%s answers about another's object exactly as about a missing one",
    async (name, one) => {
      const theirs = await stage.token(other);
      const method = name.split(' ')[0] ?? '';
      const ask = async (id: number): Promise<Got> => {
        const { headers } = await arrive('root');
        const { path, body } = one.about!(id);
        return stage.caller(headers)(path, { method, body });
      };
      const [aboutTheirs, aboutNothing] = [await ask(theirs.id), await ask(999_999)];
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
    if (answer === 'no') expect(got.text).toBe(missing.text);
  });
});

it('nothing in the log of the whole matrix is a secret, and nothing failed inside', () => {
  expect(log.lines.filter((line) => /canary|argon2id|a long enough password/.test(line))).toEqual([]);
  expect(log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
