import { admins, type Case, get, nobody, ourPages, passkeyOf, signedIn } from './matrix-case.ts';
import { PASSWORD } from './stage.ts';

/** Signed-in callers are let in and then refused by the operation. */
const refused = {
  ...signedIn,
  user: 'no',
  admin: 'no',
  root: 'no',
  accessToken: 'no',
  adminToken: 'no',
} as const;
/** Needs a fresh proof of identity, which an access token cannot give. */
const onlySessions = { accessToken: 403, adminToken: 403 } as const;
const refusedSessions = { ...refused, ...onlySessions };

/** A challenge that we never issued. */
const strange = Buffer.from(JSON.stringify({ challenge: 'none' })).toString('base64url');
const credential = { id: 'AA', rawId: 'AA', type: 'public-key' };
const madeCredential = { ...credential, response: { clientDataJSON: strange, attestationObject: 'AA' } };
const provenCredential = {
  ...credential,
  response: { clientDataJSON: strange, authenticatorData: 'AA', signature: 'AA' },
};

/** Personal settings, second factors, and account management. */
export const peopleMatrix: Readonly<Record<string, Case>> = {
  'GET /api/verification': { answers: nobody, request: get('/api/verification?email=a@example.com') },
  'GET /api/oauth/email/bind': {
    answers: refusedSessions,
    request: get('/api/oauth/email/bind?email=a@example.com&code=123456'),
  },
  'GET /api/user/aff': { answers: signedIn, request: get('/api/user/aff') },
  'POST /api/user/aff_transfer': {
    answers: refused,
    request: () => ({ path: '/api/user/aff_transfer', body: { quota: 500_000 } }),
  },
  'PUT /api/user/setting': {
    answers: signedIn,
    request: () => ({
      path: '/api/user/setting',
      body: { notify_type: 'email', quota_warning_threshold: 100_000 },
    }),
  },
  'DELETE /api/user/self': {
    answers: { ...signedIn, ...onlySessions, root: 'no' },
    request: get('/api/user/self'),
  },
  'POST /api/user/confirm': {
    answers: { ...signedIn, ...onlySessions },
    request: () => ({ path: '/api/user/confirm', body: { password: PASSWORD } }),
  },
  'GET /api/user/sessions': { answers: signedIn, request: get('/api/user/sessions') },
  'DELETE /api/user/sessions': { answers: signedIn, request: get('/api/user/sessions') },
  'DELETE /api/user/sessions/:key': {
    answers: refused,
    request: get(`/api/user/sessions/${'0'.repeat(64)}`),
  },
  'POST /api/user/login/2fa': {
    answers: nobody,
    request: () => ({ path: '/api/user/login/2fa', body: { ticket: 'none', code: '123456' } }),
  },
  'GET /api/user/2fa': { answers: signedIn, request: get('/api/user/2fa') },
  'POST /api/user/2fa/setup': {
    answers: { ...signedIn, ...onlySessions },
    request: get('/api/user/2fa/setup'),
  },
  'POST /api/user/2fa/enable': {
    answers: refused,
    request: () => ({ path: '/api/user/2fa/enable', body: { code: '123456' } }),
  },
  'POST /api/user/2fa/disable': {
    answers: refusedSessions,
    request: () => ({ path: '/api/user/2fa/disable', body: { code: '123456' } }),
  },
  'POST /api/user/2fa/backup_codes': {
    answers: refused,
    request: () => ({ path: '/api/user/2fa/backup_codes', body: { code: '123456' } }),
  },
  'POST /api/user/passkey/login/begin': {
    answers: nobody,
    request: get('/api/user/passkey/login/begin'),
  },
  'POST /api/user/passkey/login/finish': {
    answers: nobody,
    request: () => ({ path: '/api/user/passkey/login/finish', body: { credential: provenCredential } }),
  },
  'GET /api/user/passkeys': { answers: signedIn, request: get('/api/user/passkeys') },
  'POST /api/user/passkey/register/begin': {
    answers: refusedSessions,
    request: get('/api/user/passkey/register/begin'),
  },
  'POST /api/user/passkey/register/finish': {
    answers: refused,
    request: () => ({
      path: '/api/user/passkey/register/finish',
      body: { name: 'a key', credential: madeCredential },
    }),
  },
  'PUT /api/user/passkeys/:id': {
    answers: signedIn,
    request: async (scene) => ({
      path: `/api/user/passkeys/${await passkeyOf(scene, scene.self)}`,
      body: { name: 'a name' },
    }),
    about: (id) => ({ path: `/api/user/passkeys/${id}`, body: { name: 'a name' } }),
    theirs: (scene) => passkeyOf(scene, scene.other),
  },
  'DELETE /api/user/passkeys/:id': {
    answers: { ...signedIn, ...onlySessions },
    request: async (scene) => ({ path: `/api/user/passkeys/${await passkeyOf(scene, scene.self)}` }),
    about: (id) => ({ path: `/api/user/passkeys/${id}` }),
    theirs: (scene) => passkeyOf(scene, scene.other),
  },
  'GET /api/oauth/state': { answers: ourPages, request: get('/api/oauth/state') },
  'GET /api/oauth/:provider': { answers: nobody, request: get('/api/oauth/github?code=a&state=b') },
  'DELETE /api/oauth/:provider/bind': {
    answers: { ...signedIn, ...onlySessions },
    request: get('/api/oauth/github/bind'),
  },
  'GET /api/oauth/wechat': { answers: nobody, request: get('/api/oauth/wechat?code=1') },
  'GET /api/oauth/wechat/bind': { answers: refusedSessions, request: get('/api/oauth/wechat/bind?code=1') },
  'GET /api/oauth/telegram/login': {
    answers: nobody,
    request: get('/api/oauth/telegram/login?id=1&auth_date=1&hash=00'),
  },
  'GET /api/oauth/telegram/bind': {
    answers: refusedSessions,
    request: get('/api/oauth/telegram/bind?id=1&auth_date=1&hash=00'),
  },
  'POST /api/option/test_mail': {
    answers: { ...admins, admin: 403, root: 'no', adminToken: 403 },
    request: () => ({ path: '/api/option/test_mail', body: { to: 'a@example.com' } }),
  },
  'POST /api/user': {
    answers: admins,
    request: ({ unique }) => ({ path: '/api/user', body: { username: `n${unique}`, password: PASSWORD } }),
  },
  'PUT /api/user': {
    answers: admins,
    request: ({ other, unique }) => ({
      path: '/api/user',
      body: { id: other.id, display_name: `Bob ${unique}` },
    }),
  },
  'POST /api/user/manage': {
    answers: admins,
    request: ({ other }) => ({
      path: '/api/user/manage',
      body: { id: other.id, action: 'add_quota', value: 5 },
    }),
  },
  'DELETE /api/user/:id/2fa': {
    answers: { ...admins, adminToken: 403 },
    request: async ({ stage, unique }) => {
      const lost = await stage.person(`lost-${unique}`);
      await stage.passkey(lost);
      return { path: `/api/user/${lost.id}/2fa` };
    },
  },
  'DELETE /api/user/:id': {
    answers: admins,
    request: async ({ stage, unique }) => ({
      path: `/api/user/${(await stage.person(`gone-${unique}`)).id}`,
    }),
  },
};
