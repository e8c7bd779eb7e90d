import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role } from '#contract/codes.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { changes } from '../../../http/serve.ts';
import type { Caller, Got } from '../../../http/testing/caller.ts';
import { matrix } from '../../../http/testing/matrix-cases.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** Dangerous calls, and only those, need a fresh session. */

const nameOf = (endpoint: EndpointShape): string => `${endpoint.method} ${endpoint.path}`;

/** Calls of signed-in people that change something and need no new proof. A new call belongs here or is marked. */
const HARMLESS = [
  'DELETE /api/channel/:id',
  'DELETE /api/channel/disabled',
  'DELETE /api/channel/keys/round',
  'DELETE /api/channel/round/:kind',
  'DELETE /api/log',
  'DELETE /api/price_book/preview/:id',
  'DELETE /api/redemption/:id',
  'DELETE /api/redemption/invalid',
  'DELETE /api/token/:id',
  'DELETE /api/usage_link/:id',
  'DELETE /api/usage_link/user/:id/:link_id',
  'DELETE /api/user/:id',
  'DELETE /api/user/sessions',
  'DELETE /api/user/sessions/:key',
  'GET /api/channel/test',
  'GET /api/channel/test/:id',
  'GET /api/channel/update_balance',
  'GET /api/channel/update_balance/:id',
  'POST /api/channel',
  'POST /api/channel/affinity/clear',
  'POST /api/channel/:id/keys',
  'POST /api/channel/:id/keys/:key_id/test',
  'POST /api/channel/:id/keys/delete',
  'POST /api/channel/:id/keys/preview',
  'POST /api/channel/:id/keys/switch',
  'POST /api/channel/:id/keys/test',
  'POST /api/channel/batch',
  'POST /api/channel/batch/tag',
  'POST /api/channel/copy/:id',
  'POST /api/channel/explain',
  'POST /api/channel/fetch_models',
  'POST /api/channel/fix',
  'POST /api/channel/preview',
  'POST /api/channel/prices',
  'POST /api/channel/tag/disabled',
  'POST /api/channel/tag/enabled',
  'POST /api/channel/test',
  'POST /api/option/test_mail',
  'POST /api/price_book/compare',
  'POST /api/price_book/draft',
  'POST /api/price_book/preview',
  'POST /api/pricing/example',
  'POST /api/reconcile',
  'POST /api/reconcile/columns',
  'POST /api/reconcile/file',
  'POST /api/redemption',
  'POST /api/seal',
  'POST /api/token',
  'POST /api/token/batch',
  'POST /api/token/many',
  'POST /api/usage_link',
  'POST /api/usage_link/user/:id',
  'POST /api/user/2fa/backup_codes',
  'POST /api/user/2fa/enable',
  'POST /api/user/aff_transfer',
  'POST /api/user/amount',
  'POST /api/user/confirm',
  'POST /api/user/passkey/register/finish',
  'POST /api/user/pay',
  'POST /api/user/topup',
  'PUT /api/channel',
  'PUT /api/channel/:id/keys/:key_id',
  'PUT /api/channel/:id/pool',
  'PUT /api/channel/tag',
  'PUT /api/price_book/draft/:id',
  'PUT /api/redemption',
  'PUT /api/token',
  'PUT /api/user/passkeys/:id',
  'PUT /api/user/setting',
  // A code of the app is a proof itself, and a secret to switch on was given to somebody who had proved it.
  // This is the proof.
  // What it finishes was begun by somebody who had proved it.
];

const folder = temporaryFolder();
let server: RunningServer;
let upstream: SmallUpstream;
let stage: Stage;
let root: User;
let other: User;
let count = 0;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  other = await stage.person('bob');
});
afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});

/** Somebody who signed in more than ten minutes ago. */
const stale = async (rank: number = role.root): Promise<{ self: User; call: Caller }> => {
  const self = await stage.person(`s${(count += 1)}`, rank);
  const headers = await stage.session(self);
  const { sessions } = server.parts.stores;
  const [session] = await sessions.listOf(self.id, Date.now());
  await sessions.setFresh(session?.idHash ?? '', 0);
  return { self, call: stage.caller(headers) };
};

const isAsked = ({ status, text }: Got): boolean => status === 403 && text.includes('fresh_password_needed');

it('every call that changes something is marked as dangerous, or named here as harmless', () => {
  const unmarked = endpoints.filter(
    (one) => one.access !== 'public' && changes(one) && one.fresh === undefined,
  );
  expect(unmarked.map(nameOf).toSorted()).toEqual(HARMLESS.toSorted());
});

describe('a user who signed in long ago', () => {
  it.each(endpoints.filter((one) => one.access !== 'public').map((one) => [nameOf(one), one] as const))(
    '%s: asked again exactly where it is marked',
    async (name, endpoint) => {
      const one = matrix[name];
      const { self, call } = await stale();
      const scene = { stage, upstream, root, self, other, unique: `u${(count += 1)}` };
      const { path, body } = (await one?.request(scene)) ?? { path: '' };
      expect(isAsked(await call(path, { method: endpoint.method, body }))).toBe(endpoint.fresh === 'always');
    },
  );

  const dangerous: readonly (readonly [string, string, string, object | undefined])[] = [
    ['a new admin', 'POST', '/api/user', { username: 'new-admin', password: PASSWORD, role: role.admin }],
    ['a promotion', 'POST', '/api/user/manage', { id: -1, action: 'promote' }],
    ['the password of another', 'PUT', '/api/user', { id: -1, password: PASSWORD }],
    ['a way in by another service', 'GET', '/api/oauth/state', undefined],
  ];
  it.each(dangerous)('is asked for %s', async (_, method, path, body) => {
    const target = await stage.person(`t${(count += 1)}`);
    const { call } = await stale();
    const sent = body !== undefined && 'id' in body ? { ...body, id: target.id } : body;
    expect(isAsked(await call(path, { method, body: sent }))).toBe(true);
  });

  it('is asked for a first password', async () => {
    const { self, call } = await stale(role.user);
    await server.parts.stores.users.setPasswordHash(self.id, '');
    expect(isAsked(await call('/api/user/self', { method: 'PUT', body: { password: PASSWORD } }))).toBe(true);
  });

  it('need not prove it again for ten minutes after giving the password', async () => {
    const { call } = await stale();
    expect(isAsked(await call('/api/user/token'))).toBe(true);
    expect((await call('/api/user/confirm', { method: 'POST', body: { password: PASSWORD } })).success).toBe(
      true,
    );
    expect((await call('/api/user/token')).success).toBe(true);
  });
});
