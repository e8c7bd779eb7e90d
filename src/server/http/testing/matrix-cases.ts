import type { User } from '#core/user/user.ts';
import type { SmallUpstream } from './small-upstream.ts';
import { PASSWORD, type Stage } from './stage.ts';

/** Who calls. `stranger` has a good session and somebody else's id in `New-Api-User`. */
export const callers = [
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
export type CallerName = (typeof callers)[number];

/** `ok`: success. `no`: the business refused, status 200. A number: that status and no success. */
export type Answer = 'ok' | 'no' | number;
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

export interface Scene {
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

export interface Case {
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
export const matrix: Readonly<Record<string, Case>> = {
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
  'POST /api/option/rest_model_ratio': { answers: admins, request: get('/api/option/rest_model_ratio') },
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
