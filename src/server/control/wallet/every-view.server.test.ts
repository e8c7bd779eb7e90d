import fc from 'fast-check';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import type { SharedUsage } from '#contract/api/people/usage-links.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { auditDatabase } from '../../store/ledger/audit.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/**
 * What calls were charged is the same wherever it is shown: in rows, receipts, files, statements, sums of tokens, models and
 * hours. Whatever happens meanwhile: prices and groups that change, tokens that are deleted, answers that break off.
 */

const ask = fc.record({
  model: fc.constantFrom('by-token', 'by-step', 'by-call', 'free'),
  token: fc.nat(2),
  stream: fc.boolean(),
  prompt: fc.nat(5000),
  cached: fc.nat(2000),
  answer: fc.integer({ min: 1, max: 900 }),
  end: fc.constantFrom('told', 'told', 'told', 'untold', 'broken', 'refused'),
});
type Ask = typeof ask extends fc.Arbitrary<infer One> ? One : never;

const answerTo = ({ stream, prompt, cached, answer, end }: Ask, response: ServerResponse): void => {
  const head = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
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
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  postgres = await startPostgres();
});
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await postgres.stop();
});

/** What is compared: by name, units and how many calls. */
type Sums = Readonly<Record<string, readonly [units: number, calls: number]>>;

const sumsOf = <Row>(
  rows: readonly Row[],
  name: (row: Row) => unknown,
  of: (row: Row) => readonly [number, number],
): Sums => {
  const sums: Record<string, [number, number]> = {};
  for (const row of rows) {
    const sum = (sums[String(name(row))] ??= [0, 0]);
    const [units, calls] = of(row);
    sum[0] += units;
    sum[1] += calls;
  }
  return sums;
};

interface Row {
  readonly token_id: number;
  readonly model_name: string;
  readonly quota: number;
  readonly request_id: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}
interface Line {
  readonly model_name: string;
  readonly id: number;
  readonly quota: number;
  readonly count: number;
  readonly token_used: number;
}

const PRICES: readonly (readonly [string, object])[] = [
  ['ModelRatio', { 'by-token': 1.25, 'by-step': 0.3, free: 0 }],
  ['CompletionRatio', { 'by-token': 4, 'by-step': 3 }],
  ['CacheRatio', { 'by-token': 0.1, 'by-step': 0.25 }],
  ['ModelPrice', { 'by-call': 0.0003 }],
  [
    'PriceDimensions',
    {
      'by-step': {
        context: { counts: 'prompt', charges: 'excess', steps: [{ above: 1000, input: 2.5 }] },
      },
    },
  ],
];

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  let scene: Scene;
  beforeAll(async () => {
    const key = { TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters' };
    scene = await openScene(engine === 'postgres' ? { DATABASE_URL: postgres.url, ...key } : {});
    await scene.stage.channel(scene.root, { baseUrl, models: 'by-token,by-step,by-call,free' });
    for (const [option, value] of PRICES) await scene.set(option, JSON.stringify(value));
  });
  afterAll(() => scene.close());

  const call = async (keys: readonly string[], asked: Ask): Promise<void> => {
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

  const rowsOf = async (self: Caller): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1; ; page += 1) {
      const got = (await self(`/api/log/self?type=2&p=${page}&page_size=100`)).data as {
        items: Row[];
        total: number;
      };
      rows.push(...got.items);
      if (got.items.length === 0 || rows.length >= got.total) return rows;
    }
  };

  it('each view of the same calls comes to the same, to the unit', async () => {
    const { user, key } = await scene.spender('viewer', 50_000_000);
    await scene.spender('somebody-else', 50_000_000);
    const self = scene.stage.caller(await scene.stage.session(user));
    const more = [await scene.stage.token(user, 'second'), await scene.stage.token(user, 'third')];
    for (const { id } of more) await scene.server.parts.tokens.update(user, id, { unlimited: true });
    const keys = [key, ...more.map((token) => token.key)];
    const [second, third] = more;
    const meanwhile: readonly (() => Promise<unknown>)[] = [
      () => scene.set('ModelRatio', JSON.stringify({ 'by-token': 7.5, 'by-step': 0.9, free: 0 })),
      () => scene.set('GroupRatio', JSON.stringify({ default: 0.37 })),
      () => self(`/api/token/${second?.id}`, { method: 'DELETE' }),
      () => scene.set('ModelPrice', JSON.stringify({ 'by-call': 0.00071, 'by-step': 0.002 })),
    ];
    const asks = fc.sample(ask, { numRuns: 120, seed: 20261128 });
    for (let at = 0; at < asks.length; at += 12) {
      const few = asks.slice(at, at + 12).map((asked) => call(keys, asked));
      await Promise.all([...few, meanwhile[at / 24]?.()]);
    }
    const { database, statements, users } = scene.server.parts.stores;
    const openHolds = async () =>
      (await database.writer.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length;
    await expect.poll(openHolds).toBe(0);

    const rows = await rowsOf(self);
    expect(rows.length).toBeGreaterThan(60);
    const one = ({ quota }: Row): readonly [number, number] => [quota, 1];
    const line = ({ quota, count }: Line): readonly [number, number] => [quota, count];
    const used = (of: { readonly units: number; readonly calls: number }): readonly [number, number] => [
      of.units,
      of.calls,
    ];
    const byModel = sumsOf(rows, (row) => row.model_name, one);
    const byToken = sumsOf(rows, (row) => row.token_id, one);
    const total = rows.reduce((sum, { quota }) => sum + quota, 0);
    const tokens = rows.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0);

    for (const { request_id: id, quota } of rows) {
      const got = (await self(`/api/log/self/receipt?request_id=${id}`)).data as { receipt: string };
      expect(JSON.parse(got.receipt)).toMatchObject({ units: quota, request_id: id });
    }
    const file = (await self('/api/log/self/export?type=2')).text.trim().split(/\r?\n/);
    const column = file[0]?.split(',').indexOf('quota') ?? -1;
    const [name] = [file[0]?.split(',').indexOf('model') ?? -1];
    const cells = file.slice(1).map((text) => text.split(','));
    expect(
      sumsOf(
        cells,
        (cell) => cell[name],
        (cell) => [Number(cell[column]), 1],
      ),
    ).toEqual(byModel);
    expect((await self('/api/log/self/stat?type=2')).data).toMatchObject({ quota: total });

    const nowS = Math.floor(Date.now() / 1000);
    const span = `start_timestamp=${nowS - 7200}&end_timestamp=${nowS + 3600}`;
    const hours = (await self(`/api/data/self?${span}`)).data as Line[];
    expect(sumsOf(hours, (hour) => hour.model_name, line)).toEqual(byModel);
    expect(hours.reduce((sum, hour) => sum + hour.token_used, 0)).toBe(tokens);
    const top = (await self(`/api/data/self/tokens?${span}`)).data as Line[];
    expect(sumsOf(top, ({ id }) => id, line)).toEqual(byToken);
    for (const by of ['token', 'program']) {
      const lines = (await self(`/api/data/self/by?by=${by}&${span}`)).data as Line[];
      expect(lines.reduce((sum, { quota }) => sum + quota, 0)).toBe(total);
    }

    const month = monthOf(Date.now());
    const ofTokens = (await self(`/api/statement/self/sums?month=${month}&by=token`)).data as {
      lines: { token_id: number; units: number; calls: number }[];
      total_units: number;
    };
    expect(sumsOf(ofTokens.lines, (of) => of.token_id, used)).toEqual(byToken);
    expect(ofTokens.total_units).toBe(total);
    const ofTags = (await self(`/api/statement/self/sums?month=${month}&by=tag`)).data as {
      total_units: number;
    };
    expect(ofTags.total_units).toBe(total);

    const left = (await self('/api/token?p=1&page_size=100')).data as {
      items: { id: number; used_quota: number }[];
    };
    expect(left.items).toHaveLength(2);
    for (const { id, used_quota: units } of left.items) expect(units).toBe(byToken[String(id)]?.[0]);
    const linked = (await self('/api/usage_link', { method: 'POST', body: { token_id: third?.id } }))
      .data as {
      link: string;
    };
    const shared = (await self('/api/usage_link/open', { method: 'POST', body: { link: linked.link } }))
      .data as SharedUsage;
    const ofThird = rows.filter((row) => row.token_id === third?.id);
    expect(shared.used_units).toBe(byToken[String(third?.id)]?.[0]);
    expect(sumsOf(shared.models, (of) => of.model, used)).toEqual(
      sumsOf(ofThird, (row) => row.model_name, one),
    );

    const owner = { userId: user.id, tokenId: 0, tag: '' };
    const nextMs = monthSpan(monthAfter(month)).fromMs + 7_200_000;
    const { statement } = await statements.issue(owner, month, nextMs);
    expect(sumsOf(statement.models, (of) => of.model, used)).toEqual(byModel);
    expect(sumsOf(statement.tokens, (of) => of.token_id, used)).toEqual(byToken);
    const account = await users.byId(user.id);
    expect(statement.charged_units).toBe(total);
    expect(statement.closing_units).toBe(account?.quotaUnits);
    expect(account?.usedQuotaUnits).toBe(total);
    const shown = (await self(`/api/statement/self/${month}`)).data as { statement: Statement };
    expect(shown.statement).toEqual(statement);
    const csv = (await self(`/api/statement/self/${month}/csv`)).text;
    for (const { model, units } of statement.models)
      expect(csv).toMatch(new RegExp(`${model}\\b.*\\b${units}\\b`));
    const ofToken = await statements.issue({ ...owner, tokenId: third?.id ?? 0 }, month, nextMs);
    expect(ofToken.statement.charged_units).toBe(shared.used_units);

    expect((await auditDatabase(database, Date.now())).filter(({ violations }) => violations > 0)).toEqual(
      [],
    );
  });
});
