import { admins, type Case, ourPages, ownToken, type Scene, signedIn } from './matrix-case.ts';

const ownLink = async ({ stage, self }: Scene): Promise<number> => (await stage.usageLink(self)).id;
const theirToken = async ({ stage, other }: Scene): Promise<number> => (await stage.token(other)).id;

/** Links to the usage of one token. */
export const usageLinkCases: Readonly<Record<string, Case>> = {
  'GET /api/usage_link': {
    answers: signedIn,
    request: async (scene) => ({ path: `/api/usage_link?token_id=${await ownToken(scene)}` }),
    about: (id) => ({ path: `/api/usage_link?token_id=${id}` }),
  },
  'POST /api/usage_link': {
    answers: signedIn,
    request: async (scene) => ({ path: '/api/usage_link', body: { token_id: await ownToken(scene) } }),
    about: (id) => ({ path: '/api/usage_link', body: { token_id: id } }),
  },
  'DELETE /api/usage_link/:id': {
    answers: signedIn,
    request: async (scene) => ({ path: `/api/usage_link/${await ownLink(scene)}` }),
    about: (id) => ({ path: `/api/usage_link/${id}` }),
    theirs: ownLink,
  },
  'GET /api/usage_link/user/:id': {
    answers: admins,
    request: async (scene) => ({
      path: `/api/usage_link/user/${scene.other.id}?token_id=${await theirToken(scene)}`,
    }),
  },
  'POST /api/usage_link/user/:id': {
    answers: admins,
    request: async (scene) => ({
      path: `/api/usage_link/user/${scene.other.id}`,
      body: { token_id: await theirToken(scene) },
    }),
  },
  'DELETE /api/usage_link/user/:id/:link_id': {
    answers: admins,
    request: async ({ stage, other }) => ({
      path: `/api/usage_link/user/${other.id}/${(await stage.usageLink(other)).id}`,
    }),
  },
  'POST /api/usage_link/open': {
    answers: ourPages,
    request: async ({ stage, other }) => ({
      path: '/api/usage_link/open',
      body: { link: (await stage.usageLink(other)).open },
    }),
  },
};
