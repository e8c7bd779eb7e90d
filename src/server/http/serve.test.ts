import { Downloads } from './download.ts';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import { refuse } from '../control/refuse.ts';
import { type ApiHandlers, createApi } from './api.ts';
import { type ApiEnv, serve, type ServeDeps } from './serve.ts';
import { SharedRoom } from '#core/limits/shared-room.ts';

const lines: string[] = [];
const keep = (message: string, fields?: unknown): void =>
  void lines.push(JSON.stringify({ message, fields }));
const allow = {
  take: () => Promise.resolve({ ok: true, retryAfterSeconds: 0 }),
  forget: () => Promise.resolve(),
};
const deps: ServeDeps = {
  identify: () => Promise.reject(new AppError('unauthenticated', 'nobody')),
  limits: {
    any: allow,
    login: allow,
    register: allow,
    setup: allow,
    search: allow,
    code: allow,
    oauth: allow,
    link: allow,
    reset: allow,
  },
  isDemoSite: () => false,
  language: () => 'en',
  humanCheck: () => Promise.resolve(),
  clock: { now: () => 0, monotonic: () => 0 },
  log: { info: keep, warn: keep, error: keep },
};

const shape = endpoint({
  method: 'GET',
  path: '/api/thing',
  access: 'public',
  owner: 'none',
  summary: 'A thing',
  query: z.object({ n: z.coerce.number().int().max(9).default(1) }),
  data: z.object({ name: z.string(), inner: z.array(z.object({ id: z.number() })) }),
});

const ask = async (
  handler: (input: { query: { n: number } }) => Promise<unknown>,
  path = '/api/thing',
  headers = {},
) => {
  const app = new Hono<ApiEnv>();
  serve(app, shape, handler, deps, {
    room: new SharedRoom(1024 * 1024),
    downloads: new Downloads(deps.log),
  });
  const response = await app.request(
    path,
    { headers },
    { arrival: { requestId: 'req-1', ip: '127.0.0.1', secure: false } },
  );
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as object,
  };
};

describe('an answer', () => {
  it('holds what the contract names and nothing else, at any depth', async () => {
    const { body } = await ask(async () => ({
      name: 'a',
      password_hash: 'x',
      inner: [{ id: 1, key: 'sk-secret' }],
    }));
    expect(body).toEqual({ success: true, message: '', data: { name: 'a', inner: [{ id: 1 }] } });
  });

  it('that is not what the contract promises is an error of ours, not an answer', async () => {
    const { status, body } = await ask(async () => ({ name: 7 }));
    expect([status, body]).toEqual([
      500,
      { success: false, message: 'internal server error, contact admin (request id req-1)', data: null },
    ]);
  });
});

describe('an error', () => {
  it('we did not foresee says its request id and nothing of itself, which the log keeps', async () => {
    lines.length = 0;
    const { status, body } = await ask(
      () => Promise.reject(new TypeError(`cannot read ${String(new Secret('hunter2'))} of /etc/secret`)),
      '/api/thing',
      { 'Accept-Language': 'zh-CN' },
    );
    expect([status, body]).toEqual([
      500,
      { success: false, message: '服务器内部错误，请联系管理员（请求 ID req-1）', data: null },
    ]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('req-1');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('names the field that was refused, by a rule as by the schema', async () => {
    const invite = await ask(() => Promise.reject(refuse('invite_unknown')));
    const tooBig = await ask(async () => ({ name: 'a', inner: [] }), '/api/thing?n=10');
    const whole = await ask(() => Promise.reject(refuse('register_off')));
    expect([invite, tooBig, whole].map(({ body }) => ('field' in body ? body.field : undefined))).toEqual([
      'aff_code',
      'n',
      undefined,
    ]);
  });

  it.each([
    ['unavailable', 503],
    ['rate_limited', 429],
    ['refused', 200],
    ['forbidden', 403],
    ['conflict', 409],
  ] as const)('%s answers %i in the envelope', async (code, wanted) => {
    const { status, retryAfter, body } = await ask(() =>
      Promise.reject(new AppError(code, 'why', { retryAfterSeconds: 7 })),
    );
    expect([status, retryAfter]).toEqual([wanted, '7']);
    expect(body).toMatchObject({ success: false, data: null });
  });
});

it('a query that does not read is named; one that is unknown is ignored', async () => {
  const handler = async ({ query }: { query: { n: number } }) => ({ name: String(query.n), inner: [] });
  expect((await ask(handler, '/api/thing/?n=10')).body).toMatchObject({
    success: false,
    message: expect.stringContaining('invalid parameter n:') as string,
  });
  expect((await ask(handler, '/api/thing?n=3&turnstile=x')).body).toMatchObject({ data: { name: '3' } });
});

it('of a parameter that is given twice the first counts, as for the relay', async () => {
  const handler = async ({ query }: { query: { n: number } }) => ({ name: String(query.n), inner: [] });
  expect((await ask(handler, '/api/thing?n=3&n=4')).body).toMatchObject({ data: { name: '3' } });
});

it('a server that forgot an endpoint does not start', () => {
  const none = {
    setup: {},
    session: {},
    users: {},
    catalogue: {},
    options: {},
    channels: {},
    tokens: {},
    logs: {},
  };
  // The compiler refuses handlers that lack an endpoint, so the test casts.
  expect(() => createApi(none as unknown as ApiHandlers, deps, '0')).toThrow(
    /^(GET|POST) \/api\/\S+ has no handler$/,
  );
});
