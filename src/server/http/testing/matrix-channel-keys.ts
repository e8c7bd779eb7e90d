import { aChannel, admins, type Case, get, type Scene } from './matrix-case.ts';

/** The expected result for every call on the keys of channels that have several. */
export const channelKeyCases: Readonly<Record<string, Case>> = {
  'GET /api/channel/:id/keys': {
    answers: admins,
    request: async (scene) => ({ path: `/api/channel/${(await aPool(scene)).id}/keys` }),
  },
  'POST /api/channel/:id/keys/preview': {
    answers: admins,
    request: async (scene) => ({
      path: `/api/channel/${(await aPool(scene)).id}/keys/preview`,
      body: { keys: 'sk-canary-channel-key' },
    }),
  },
  'POST /api/channel/:id/keys': {
    answers: admins,
    request: async (scene) => ({
      path: `/api/channel/${await aChannel(scene)}/keys`,
      body: { keys: 'sk-canary-second-key' },
    }),
  },
  'PUT /api/channel/:id/keys/:key_id': {
    answers: admins,
    request: async (scene) => {
      const { id, keyId } = await aPool(scene);
      return { path: `/api/channel/${id}/keys/${keyId}`, body: { weight: 3 } };
    },
  },
  'POST /api/channel/:id/keys/switch': {
    answers: admins,
    request: async (scene) => {
      const { id, keyId } = await aPool(scene);
      return { path: `/api/channel/${id}/keys/switch`, body: { ids: [keyId], to: 'off' } };
    },
  },
  'POST /api/channel/:id/keys/delete': {
    answers: admins,
    request: async (scene) => {
      const { id, keyId } = await aPool(scene);
      return { path: `/api/channel/${id}/keys/delete`, body: { ids: [keyId] } };
    },
  },
  'PUT /api/channel/:id/pool': {
    answers: admins,
    request: async (scene) => ({
      path: `/api/channel/${(await aPool(scene)).id}/pool`,
      body: { mode: 'random' },
    }),
  },
  'POST /api/channel/:id/keys/:key_id/test': {
    answers: admins,
    request: async (scene) => {
      const { id, keyId } = await aPool(scene);
      return { path: `/api/channel/${id}/keys/${keyId}/test`, body: {} };
    },
  },
  'POST /api/channel/:id/keys/test': {
    answers: admins,
    request: async (scene) => {
      const { id } = await aPool(scene);
      await scene.stage.endRounds();
      return { path: `/api/channel/${id}/keys/test` };
    },
  },
  'GET /api/channel/keys/round': { answers: admins, request: get('/api/channel/keys/round') },
  'DELETE /api/channel/keys/round': { answers: admins, request: get('/api/channel/keys/round') },
};

/** A channel with two keys, and one of them. */
const aPool = async ({ stage, root, upstream, unique }: Scene) => {
  const { id } = await stage.pool(root, { baseUrl: upstream.url, key: `sk-${unique}-one\nsk-${unique}-two` });
  const [key] = await stage.keysOf(id);
  return { id, keyId: key?.id ?? 0 };
};
