import { siteCases } from './matrix-site.ts';
import { channelKeyCases } from './matrix-channel-keys.ts';
import { channelCases } from './matrix-channels.ts';
import { admins, type Case, everybody, get, nobody, ourPages, ownToken, signedIn } from './matrix-case.ts';
import { peopleMatrix } from './matrix-people.ts';
import { walletCases } from './matrix-wallet.ts';
import { priceCases } from './matrix-prices.ts';
import { taskCases } from './matrix-tasks.ts';
import { usageLinkCases } from './matrix-usage-links.ts';
import { PASSWORD } from './stage.ts';

/** Every endpoint's answer to every caller. An endpoint without a row here fails the test. */
export const matrix: Readonly<Record<string, Case>> = {
  ...peopleMatrix,
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
  'GET /api/user/available_models': { answers: signedIn, request: get('/api/user/available_models') },
  'GET /api/user/groups': { answers: everybody, request: get('/api/user/groups') },
  'GET /api/uptime/status': { answers: everybody, request: get('/api/uptime/status') },
  'GET /api/user/self/groups': { answers: signedIn, request: get('/api/user/self/groups') },
  'GET /api/user/token': {
    answers: { ...signedIn, accessToken: 403, adminToken: 403 },
    request: get('/api/user/token'),
  },
  'GET /api/user': { answers: admins, request: get('/api/user?p=1&page_size=5') },
  'GET /api/user/search': { answers: admins, request: get('/api/user/search?keyword=a') },
  'GET /api/user/:id': { answers: admins, request: ({ other }) => ({ path: `/api/user/${other.id}` }) },
  'GET /api/models': { answers: signedIn, request: get('/api/models') },
  'GET /api/group': { answers: admins, request: get('/api/group') },
  'GET /api/group/use': { answers: admins, request: get('/api/group/use?name=vip') },
  'GET /api/option': { answers: admins, request: get('/api/option') },
  'PUT /api/option': {
    answers: admins,
    request: () => ({ path: '/api/option', body: { key: 'RetryTimes', value: '1' } }),
  },
  ...siteCases,
  ...channelCases,
  ...channelKeyCases,
  ...walletCases,
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
    request: async (scene) => ({ path: '/api/token/batch', body: { ids: [await ownToken(scene)] } }),
  },
  'POST /api/token/many': {
    answers: signedIn,
    request: () => ({ path: '/api/token/many', body: { name: 'mine', count: 2 } }),
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
  ...taskCases,
  ...usageLinkCases,
  ...priceCases,
  'GET /api/log': { answers: admins, request: get('/api/log?p=1&channel=&username=') },
  'GET /api/log/self': { answers: signedIn, request: get('/api/log/self?p=1') },
  'GET /api/log/export': { answers: admins, request: get('/api/log/export?type=2') },
  'GET /api/log/self/export': { answers: signedIn, request: get('/api/log/self/export?type=2') },
  'GET /api/log/stat': { answers: admins, request: get('/api/log/stat?type=2') },
  'GET /api/log/self/stat': { answers: signedIn, request: get('/api/log/self/stat?type=2') },
};
