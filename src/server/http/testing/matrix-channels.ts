import { aChannel, admins, type Case, get, type Scene } from './matrix-case.ts';

const newChannel = { type: 1, name: 'made', key: 'sk-canary-channel-key', models: 'gpt-small' };

/** The expected result for every call on channels. */
export const channelCases: Readonly<Record<string, Case>> = {
  'GET /api/channel': { answers: admins, request: get('/api/channel?id_sort=true') },
  'GET /api/channel/counts': {
    answers: admins,
    request: get('/api/channel/counts'),
  },
  'GET /api/channel/names': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/names?ids=${await aChannel(scene)}` }),
  },
  'GET /api/channel/live': { answers: admins, request: get('/api/channel/live') },
  'GET /api/channel/search': {
    answers: admins,
    request: get('/api/channel/search?keyword=a&group=default&model=gpt-small'),
  },
  'GET /api/channel/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${await aChannel(scene)}` }),
  },
  'GET /api/channel/:id/evidence': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${await aChannel(scene)}/evidence` }),
  },
  'GET /api/channel/:id/evidence/file': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${await aChannel(scene)}/evidence/file` }),
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
  'POST /api/channel/test': {
    answers: admins,
    request: ({ upstream }) => ({
      path: '/api/channel/test',
      body: { ...newChannel, base_url: upstream.url },
    }),
  },
  'POST /api/channel/prices': {
    answers: admins,
    request: ({ upstream }) => ({
      path: '/api/channel/prices',
      body: { ...newChannel, base_url: `${upstream.url}/family` },
    }),
  },
  'POST /api/channel/preview': {
    answers: admins,
    request: async (scene) => ({
      path: '/api/channel/preview',
      body: { id: await aChannel(scene), request: { messages: [{ role: 'user', content: 'hi' }] } },
    }),
  },
  'POST /api/channel/explain': {
    answers: admins,
    request: () => ({ path: '/api/channel/explain', body: { model: 'gpt-small' } }),
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
  'GET /api/channel/affinity': { answers: admins, request: get('/api/channel/affinity') },
  'POST /api/channel/affinity/clear': {
    answers: admins,
    request: () => ({ path: '/api/channel/affinity/clear', body: { channel_id: 1 } }),
  },
  'POST /api/channel/batch': {
    answers: admins,
    request: async (scene) => ({ path: '/api/channel/batch', body: { ids: [await aChannel(scene)] } }),
  },
  'POST /api/channel/batch/tag': {
    answers: admins,
    request: async (scene) => ({
      path: '/api/channel/batch/tag',
      body: { ids: [await aChannel(scene)], tag: 'blue' },
    }),
  },
  'DELETE /api/channel/disabled': { answers: admins, request: get('/api/channel/disabled') },
  'POST /api/channel/fix': { answers: admins, request: get('/api/channel/fix') },
  'POST /api/channel/copy/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/copy/${await aChannel(scene)}`, body: {} }),
  },
  'PUT /api/channel/tag': {
    answers: admins,
    request: async (scene) => ({
      path: '/api/channel/tag',
      body: { tag: await aTag(scene), priority: 2 },
    }),
  },
  'POST /api/channel/tag/enabled': {
    answers: admins,
    request: async (scene) => ({ path: '/api/channel/tag/enabled', body: { tag: await aTag(scene) } }),
  },
  'POST /api/channel/tag/disabled': {
    answers: admins,
    request: async (scene) => ({ path: '/api/channel/tag/disabled', body: { tag: await aTag(scene) } }),
  },
  'GET /api/channel/tag/models': { answers: admins, request: get('/api/channel/tag/models?tag=blue') },
  'GET /api/channel/test': {
    answers: admins,
    request: async ({ stage }) => {
      await stage.endRounds();
      return { path: '/api/channel/test' };
    },
  },
  'GET /api/channel/update_balance': {
    answers: admins,
    request: async ({ stage }) => {
      await stage.endRounds();
      return { path: '/api/channel/update_balance' };
    },
  },
  'GET /api/channel/update_balance/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/update_balance/${await aChannel(scene)}` }),
  },
  'GET /api/channel/round': { answers: admins, request: get('/api/channel/round') },
  'DELETE /api/channel/round/:kind': { answers: admins, request: get('/api/channel/round/test') },
  'GET /api/channel/test_upstream/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/test_upstream/${await aChannel(scene)}` }),
  },
};

const aTag = async ({ stage, root, upstream, unique }: Scene): Promise<string> => {
  await stage.channel(root, { baseUrl: upstream.url, tag: unique });
  return unique;
};
