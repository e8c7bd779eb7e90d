import fc from 'fast-check';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import {
  DRAWING_MODELS,
  KIND_MODELS,
  KIND_PRICES,
  kinds,
  MUSIC_MODELS,
} from '../../http/testing/calls-of-every-kind.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { temporaryFolder } from '../../http/testing/test-config.ts';
import {
  adminViews,
  chargedRows,
  linkView,
  ownViews,
  provenView,
  viewOfRows,
  viewOfStatement,
  type Views,
} from '../../http/testing/views-of-charges.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/**
 * What calls were charged is the same wherever it is shown: in rows, receipts, files, statements, on paper, in sums of tokens,
 * models and hours, in margins and in proofs. Whatever happens meanwhile: prices and groups that change, tokens and channels
 * that are deleted, accounts that are renamed and at last deleted, answers that break off, tasks that fail.
 */

const ask = fc.record({
  model: fc.constantFrom('by-token', 'by-step', 'by-call', 'free', 'gpt-x-search-preview'),
  token: fc.nat(2),
  stream: fc.boolean(),
  prompt: fc.nat(5000),
  cached: fc.nat(2000),
  answer: fc.integer({ min: 1, max: 900 }),
  end: fc.constantFrom('told', 'told', 'told', 'untold', 'broken', 'refused'),
});
type Ask = typeof ask extends fc.Arbitrary<infer One> ? One : never;

const answerTo = ({ model, stream, prompt, cached, answer, end }: Ask, response: ServerResponse): void => {
  const head = { id: 'c', object: 'chat.completion', created: 1, model };
  const usage = {
    prompt_tokens: prompt + cached,
    completion_tokens: answer,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const content = 'a word '.repeat(answer % 50);
  if (end === 'refused') return void response.writeHead(400).end('{"error":{"message":"no"}}');
  if (!stream) {
    const choices = [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `${content}.` } },
    ];
    const body = { ...head, choices, ...(end !== 'untold' && { usage }) };
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (body: object) => response.write(`data: ${JSON.stringify({ ...head, ...body })}\n\n`);
  say({ choices: [{ index: 0, delta: { role: 'assistant', content: `${content}.` } }] });
  if (end === 'broken') return void response.write(': nothing follows\n\n', () => response.destroy());
  say({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  if (end === 'told') say({ choices: [], usage });
  response.end('data: [DONE]\n\n');
};

let upstream: Server;
let baseUrl: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  upstream = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as {
        messages: [{ content: string }];
      };
      answerTo(JSON.parse(messages[0].content) as Ask, response);
    });
  });
  baseUrl = await listening(upstream);
  postgres = await startPostgres();
});
afterAll(async () => {
  hangUp(upstream);
  await postgres.stop();
});

const RATIOS = {
  ...KIND_PRICES.ratios,
  'by-token': 1.25,
  'by-step': 0.3,
  'gpt-x-search-preview': 0.2,
  free: 0,
};
const PRICES: readonly (readonly [string, object])[] = [
  ['ModelRatio', RATIOS],
  ['CompletionRatio', { 'by-token': 4, 'by-step': 3 }],
  ['CacheRatio', { 'by-token': 0.1, 'by-step': 0.25 }],
  ['ModelPrice', { ...KIND_PRICES.prices, 'by-call': 0.0003 }],
  [
    'PriceDimensions',
    {
      'by-step': {
        context: { counts: 'prompt', charges: 'excess', steps: [{ above: 1000, input: 2.5 }] },
      },
    },
  ],
];

const DEARER_CALLS = { ...KIND_PRICES.prices, 'by-call': 0.00071, 'by-step': 0.002 };
const CHARGED_MODELS = [...Object.keys(RATIOS), ...Object.keys(KIND_PRICES.prices), 'by-call'].toSorted();

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  const folder = temporaryFolder();
  let simulator: RunningSimulator;
  let scene: Scene;
  beforeAll(async () => {
    simulator = await startSimulator();
    const key = { TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters' };
    scene = await openScene(engine === 'postgres' ? { DATABASE_URL: postgres.url, ...key } : {});
    const { root, stage } = scene;
    await stage.channel(root, { baseUrl, models: 'by-token,by-step,by-call,free,gpt-x-search-preview' });
    await stage.channel(root, { baseUrl: simulator.url, models: KIND_MODELS });
    await stage.channel(root, { type: 2, baseUrl: simulator.url, models: DRAWING_MODELS });
    await stage.channel(root, { type: 36, baseUrl: simulator.url, models: MUSIC_MODELS });
    for (const [option, value] of PRICES) await scene.set(option, JSON.stringify(value));
  });
  afterAll(async () => {
    await scene.close();
    await simulator.stop();
    folder.remove();
  });

  const chat = async (keys: readonly string[], asked: Ask): Promise<void> => {
    const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${keys[asked.token % keys.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: asked.model,
        stream: asked.stream,
        messages: [{ role: 'user', content: JSON.stringify(asked) }],
      }),
    });
    await response.text().catch(() => '');
  };

  it('each view of the same calls comes to the same, to the unit', async () => {
    const { asRoot, server, stage } = scene;
    const { database, statements, users } = server.parts.stores;
    const { user, key } = await scene.spender('viewer', 50_000_000);
    await scene.spender('somebody-else', 50_000_000);
    const self = stage.caller(await stage.session(user));
    const [second, third] = [await stage.token(user, 'second'), await stage.token(user, 'third')];
    for (const { id } of [second, third]) await server.parts.tokens.update(user, id, { unlimited: true });
    const keys = [key, second.key, third.key];
    const code = await stage.code(scene.root, 1234);
    const channels = await allChannels(server.parts.stores.channels);
    const renamed = 'onlooker';
    const done = async (call: Caller, ...sent: Parameters<Caller>): Promise<void> => {
      const got = await call(...sent);
      if (got.success !== true) throw new Error(got.text);
    };
    const tagged = { id: third.id, name: 'renamed', tag: 'project' };
    const taken = { id: user.id, action: 'add_quota', value: -777 };
    const meanwhile: readonly (() => Promise<unknown>)[] = [
      () => scene.set('ModelRatio', JSON.stringify({ ...RATIOS, 'by-token': 7.5, 'by-step': 0.9 })),
      () => scene.set('GroupRatio', JSON.stringify({ default: 0.37 })),
      () => done(self, `/api/token/${second.id}`, { method: 'DELETE' }),
      () => scene.set('ModelPrice', JSON.stringify(DEARER_CALLS)),
      () => done(self, '/api/token', { method: 'PUT', body: tagged }),
      () => done(self, '/api/user/topup', { method: 'POST', body: { key: code } }),
      () => done(asRoot, '/api/user', { method: 'PUT', body: { id: user.id, username: renamed } }),
      () => done(asRoot, '/api/user/manage', { method: 'POST', body: taken }),
    ];
    const asks = fc.sample(ask, { numRuns: 80, seed: 20261128 });
    for (let at = 0; at < asks.length; at += 10) {
      const turn = at / 10;
      const few = asks.slice(at, at + 10).map((asked) => chat(keys, asked));
      const kind = kinds[turn]?.(server, turn % 2 === 0 ? key : third.key);
      await Promise.all([...few, kind, meanwhile[turn]?.()]);
    }
    await asRoot(`/api/channel/${channels[0]?.id}`, { method: 'DELETE' });
    const openHolds = async () => {
      await server.parts.taskRelay.poller.run();
      return (await database.writer.selectFrom('holds').select('id').where('state', '=', 'open').execute())
        .length;
    };
    await expect.poll(openHolds).toBe(0);

    const month = monthOf(Date.now());
    const owner = { userId: user.id, tokenId: 0, tag: '' };
    const nextMs = monthSpan(monthAfter(month)).fromMs + 7_200_000;
    const { statement } = await statements.issue(owner, month, { nowMs: nextMs, unitsPerDollar: 500_000 });

    const rows = await chargedRows(self, '/api/log/self?');
    const charged = viewOfRows(rows);
    const searches = rows.filter(({ other }) => other.includes('web_search_preview')).length;
    expect(Object.keys(charged.models).toSorted()).toEqual(CHARGED_MODELS);
    const agree = (views: Views): void => {
      for (const [name, view] of Object.entries(views)) {
        expect(Object.keys(view), name).not.toEqual([]);
        expect({ ...charged, ...view }, name).toEqual(charged);
      }
    };
    agree(await ownViews(self, month));
    agree(await adminViews(asRoot, { id: user.id, username: renamed }, month));
    expect(searches).toBeGreaterThan(0);
    for (const { request_id: id, quota } of rows) {
      const got = (await self(`/api/log/self/receipt?request_id=${id}`)).data as { receipt: string };
      expect(JSON.parse(got.receipt)).toMatchObject({ units: quota, request_id: id });
    }

    const left = (await self('/api/token?p=1&page_size=100')).data as {
      items: { id: number; used_quota: number }[];
    };
    expect(left.items).toHaveLength(2);
    for (const { id, used_quota: units } of left.items) expect(units).toBe(charged.tokens[String(id)]?.[0]);
    const shared = await linkView(self, third.id);
    const { models, units } = viewOfRows(rows.filter((row) => row.token_id === third.id));
    expect(shared).toEqual({ models, units });
    const ofToken = await statements.issue({ ...owner, tokenId: third.id }, month, {
      nowMs: nextMs,
      unitsPerDollar: 500_000,
    });
    expect(viewOfStatement(ofToken.statement)).toMatchObject({ models, units });
    const ofTag = await statements.issue({ ...owner, tag: 'project' }, month, {
      nowMs: nextMs,
      unitsPerDollar: 500_000,
    });
    expect(viewOfStatement(ofTag.statement)).toMatchObject({ models, units });

    const account = await users.byId(user.id);
    expect(statement.closing_units).toBe(account?.quotaUnits);
    expect(statement.closing_units).toBe(50_000_000 + 1234 - 777 - charged.units);
    expect(account?.usedQuotaUnits).toBe(charged.units);
    const proven = { month, folder: folder.path, url: server.url };
    expect(await provenView(asRoot, self, proven)).toMatchObject({
      verdict: 'proven',
      calls: charged.calls,
      problems: [],
    });

    await asRoot(`/api/user/${user.id}`, { method: 'DELETE' });
    expect(viewOfRows(await chargedRows(asRoot, `/api/log?username=${renamed}`))).toEqual(charged);
    agree(await adminViews(asRoot, { id: user.id, username: renamed }, month));
    expect(await brokenRules(database)).toEqual([]);
  });
});
