import { admins, type Case, get, nobody, type Scene, signedIn } from './matrix-case.ts';

const aCode = async ({ stage, root }: Scene): Promise<string> => stage.code(root);
const aCodeId = async (scene: Scene): Promise<number> => scene.stage.codeId(await aCode(scene));
/** Signed-in callers are let in and then refused by the operation. */
const signedInRefused: Case['answers'] = {
  ...signedIn,
  user: 'no',
  admin: 'no',
  root: 'no',
  accessToken: 'no',
  adminToken: 'no',
};

/** Codes, the wallet, clearing logs, and a forgotten password. */
export const walletCases: Readonly<Record<string, Case>> = {
  'GET /api/redemption': { answers: admins, request: get('/api/redemption?p=0&page_size=10') },
  'GET /api/redemption/search': { answers: admins, request: get('/api/redemption/search?keyword=a') },
  'GET /api/redemption/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/redemption/${await aCodeId(scene)}` }),
  },
  'POST /api/redemption': {
    answers: admins,
    request: () => ({ path: '/api/redemption', body: { name: 'gift', quota: 5, count: 2 } }),
  },
  'PUT /api/redemption': {
    answers: admins,
    request: async (scene) => ({
      path: '/api/redemption',
      body: { id: await aCodeId(scene), name: 'renamed' },
    }),
  },
  'DELETE /api/redemption/:id': {
    answers: admins,
    request: async (scene) => ({ path: `/api/redemption/${await aCodeId(scene)}` }),
  },
  'DELETE /api/redemption/invalid': { answers: admins, request: get('/api/redemption/invalid') },
  'POST /api/user/topup': {
    answers: signedIn,
    request: async (scene) => ({ path: '/api/user/topup', body: { key: await aCode(scene) } }),
  },
  'GET /api/user/topup/info': { answers: signedIn, request: get('/api/user/topup/info') },
  'GET /api/user/topup/history': { answers: signedIn, request: get('/api/user/topup/history?p=1') },
  'POST /api/user/amount': {
    answers: signedIn,
    request: () => ({ path: '/api/user/amount', body: { amount: 1, top_up_code: '' } }),
  },
  // No payment gateway is configured.
  'POST /api/user/pay': {
    answers: signedInRefused,
    request: () => ({ path: '/api/user/pay', body: { amount: 1, payment_method: 'alipay' } }),
  },
  'GET /api/statement/self': { answers: signedIn, request: get('/api/statement/self') },
  // Nothing had happened in that month.
  'GET /api/statement/self/:month': {
    answers: signedInRefused,
    request: get('/api/statement/self/2020-01'),
  },
  'GET /api/statement/self/:month/csv': {
    answers: signedInRefused,
    request: get('/api/statement/self/2020-01/csv'),
  },
  'GET /api/statement/self/sums': {
    answers: signedIn,
    request: get('/api/statement/self/sums?month=2026-01&by=tag'),
  },
  'GET /api/statement/sums': { answers: admins, request: get('/api/statement/sums?month=2026-01') },
  'GET /api/statement/user/:id/sums': {
    answers: admins,
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}/sums?month=2026-01` }),
  },
  'GET /api/statement/user/:id': {
    answers: admins,
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}` }),
  },
  'GET /api/statement/user/:id/:month': {
    answers: { ...signedInRefused, user: 403, accessToken: 403 },
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}/2020-01` }),
  },
  'GET /api/statement/self/:month/pdf': {
    answers: signedInRefused,
    request: get('/api/statement/self/2020-01/pdf'),
  },
  'GET /api/statement/user/:id/:month/pdf': {
    answers: { ...signedInRefused, user: 403, accessToken: 403 },
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}/2020-01/pdf` }),
  },
  'GET /api/statement/user/:id/:month/csv': {
    answers: { ...signedInRefused, user: 403, accessToken: 403 },
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}/2020-01/csv` }),
  },
  'GET /api/statement/self/:month/proofs': {
    answers: signedInRefused,
    request: get('/api/statement/self/2020-01/proofs'),
  },
  'GET /api/statement/user/:id/:month/proofs': {
    answers: { ...signedInRefused, user: 403, accessToken: 403 },
    request: ({ other }) => ({ path: `/api/statement/user/${other.id}/2020-01/proofs` }),
  },
  // There is no such call.
  'GET /api/log/self/receipt': {
    answers: signedInRefused,
    request: get('/api/log/self/receipt?request_id=none'),
  },
  'GET /api/log/receipt': {
    answers: { ...signedInRefused, user: 403, accessToken: 403 },
    request: get('/api/log/receipt?request_id=none'),
  },
  'GET /api/seal': { answers: admins, request: get('/api/seal') },
  'POST /api/seal': {
    answers: { ...admins, admin: 403, adminToken: 403 },
    request: () => ({ path: '/api/seal' }),
  },
  'POST /api/seal/key': {
    answers: { ...admins, admin: 403, adminToken: 403 },
    request: () => ({ path: '/api/seal/key' }),
  },
  'POST /api/seal/key/anew': {
    // The key is not damaged.
    answers: { ...admins, admin: 403, adminToken: 403, root: 'no' },
    request: () => ({ path: '/api/seal/key/anew' }),
  },
  'DELETE /api/log': { answers: admins, request: get('/api/log?target_timestamp=1') },
  'GET /api/log/clearing': { answers: admins, request: get('/api/log/clearing') },
  'GET /api/reset_password': {
    answers: nobody,
    request: get('/api/reset_password?email=nobody@site.example'),
  },
  'POST /api/user/reset': {
    answers: nobody,
    request: () => ({ path: '/api/user/reset', body: { email: 'nobody@site.example', token: 'wrong' } }),
  },
};
