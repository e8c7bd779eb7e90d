import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { OptionValues } from '../../src/contract/options.ts';
import { chat, type Rig, type RigChannel } from './rig.ts';
import { useGateway } from './use-gateway.ts';

/** A stream whose first token does not come goes to another channel, in its place or beside it, and is charged once. */

const { start, scripted, good, simulator } = useGateway();

const DEADLINE_MS = 300;
const haste = (more: object = {}, model = 'm'): Partial<OptionValues> => ({
  'upstream_setting.first_token': { [model]: { deadline_ms: DEADLINE_MS, ...more } },
});
const hedged = (percent = 100): Partial<OptionValues> => ({
  ...haste({ hedge: true }),
  'upstream_setting.hedge_percent': percent,
});
const FIRST: Partial<RigChannel> = { priority: 9 };
/** Ten times dearer than the second, so that the books say who was paid. */
const costs = (input: number) =>
  JSON.stringify({
    cost: { models: { m: { input, output: input }, 'fault-silent-2000': { input, output: input } } },
  });

interface Attempt {
  readonly channel: number;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
  readonly connect?: number;
  readonly head?: number;
  readonly race?: string;
  readonly error?: string;
}
interface AdminInfo {
  readonly attempts: readonly Attempt[];
  readonly retries_refused?: boolean;
}
const rowsOf = async (gateway: Rig, count = 1) => {
  await expect.poll(async () => (await gateway.logs()).length).toBe(count);
  await expect.poll(gateway.openHolds).toBe(0);
  return (await gateway.logs()).map((row) => {
    const other = JSON.parse(row.other) as { readonly admin_info: AdminInfo };
    return { ...row, info: other.admin_info };
  });
};
const lastRow = async (gateway: Rig) => {
  const row = (await rowsOf(gateway)).at(-1);
  if (row === undefined) throw new Error('no row');
  return row;
};
const houseOf = (gateway: Rig) =>
  gateway.database.reader.selectFrom('house_costs').selectAll().orderBy('channel_id').execute();
/** All calls of the test have ended at the upstream, so nothing runs on that nobody hears. */
const nothingOpen = () => expect.poll(async () => (await simulator().calls()).open).toBe(0);

const streamed = (gateway: Rig, body: object = {}) => chat(gateway, { stream: true, ...body });

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
/** An upstream that does what the test says with each body. */
const ownUpstream = async (answer: (body: string, response: ServerResponse) => void): Promise<string> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => answer(text, response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
};
const CHUNK = {
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
};
const ANTHROPIC = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'done' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

test('one of three channels hangs: no call fails, and the slowest takes one deadline more', async () => {
  const gateway = await start([scripted('hang-before-headers'), good(), good()], haste());
  const times = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await new Promise((resolve) => void setTimeout(resolve, index * 10));
      const startedMs = performance.now();
      const response = await streamed(gateway);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('[DONE]');
      return performance.now() - startedMs;
    }),
  );
  const rows = await rowsOf(gateway, 60);
  const late = rows.filter(({ info }) => info.attempts.length > 1);
  expect(late.length).toBeGreaterThan(0);
  for (const { info } of late) {
    expect(info.attempts.map(({ status }) => status)).toEqual([0, 200]);
    expect(info.attempts[0]).toMatchObject({ channel: 1, error: 'the upstream sent no event within 0.3 s' });
  }
  // The machine that tests is busy; two deadlines would be more.
  expect(Math.max(...times)).toBeLessThan(DEADLINE_MS * 2 + 200);
  await nothingOpen();
});

test.each(['hang-after-headers', 'pings-forever', 'begins-then-pings'])(
  'a stream that has begun and says nothing is late as well: %s',
  async (script) => {
    const gateway = await start([scripted(script, FIRST), good()], haste());
    expect((await streamed(gateway)).status).toBe(200);
    const { info } = await lastRow(gateway);
    expect(info.attempts.map(({ channel }) => channel)).toEqual([1, 2]);
    await nothingOpen();
  },
);

test('the last channel that is open gets all the time it needs', async () => {
  const gateway = await start([scripted('silent-1200', FIRST)], haste());
  const response = await streamed(gateway);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('[DONE]');
  const { info } = await lastRow(gateway);
  expect(info.attempts.map(({ status }) => status)).toEqual([200]);
});

test.each([
  ['a whole reply', { stream: false }],
  ['a response that is to be stored', { stream: true, store: true }],
  ['a chat whose tool acts', { stream: true, tools: [{ type: 'code_interpreter' }] }],
])('%s is never asked for twice', async (_, body) => {
  const gateway = await start([scripted('silent-900', FIRST), good()], hedged());
  const response = await chat(gateway, body);
  await response.text();
  const { info } = await lastRow(gateway);
  expect(info.attempts.map(({ channel }) => channel)).toEqual([1]);
});

test('a race is won by the first answer, charged once by its channel, and the loser is stopped and a cost of the house', async () => {
  const gateway = await start(
    [scripted('silent-2000', { ...FIRST, setting: costs(10) }), good({ setting: costs(1) })],
    hedged(),
  );
  const startedMs = performance.now();
  const response = await streamed(gateway);
  const text = await response.text();
  expect(text).toContain('[DONE]');
  expect(text.match(/\[DONE\]/g)?.length).toBe(1);
  expect(performance.now() - startedMs).toBeLessThan(1800);
  const row = await lastRow(gateway);
  expect(row.channel_id).toBe(2);
  expect(row.info.attempts).toMatchObject([
    { channel: 1, status: 0, race: 'lost', error: 'another channel answered first', at: expect.any(Number) },
    { channel: 2, status: 200, race: 'won' },
  ]);
  expect(row.info.attempts[1]?.at).toBeGreaterThanOrEqual(DEADLINE_MS);
  expect(row.info.attempts[0]?.connect).toBeTypeOf('number');
  expect(await gateway.balance()).toMatchObject({ used: row.quota, calls: 1 });
  expect(row.cost).toBe((row.prompt_tokens + row.completion_tokens) * 1000);
  await nothingOpen();
  const house = await houseOf(gateway);
  expect(house).toMatchObject([{ channel_id: 1, kind: 'hedge', calls: 1, uncosted_calls: 0 }]);
  // The prompt as it was estimated, at ten dollars for a million.
  expect(house[0]?.cost).toBeGreaterThan(0);
  expect((house[0]?.cost ?? 0) % 10_000).toBe(0);
  // It would have answered by now: nothing more is booked.
  await new Promise((resolve) => void setTimeout(resolve, 1800));
  expect(await houseOf(gateway)).toEqual(house);
  expect(await gateway.balance()).toMatchObject({ used: row.quota, calls: 1 });
});

test('the silent channel of a race may still win, and then the other is the loser', async () => {
  const gateway = await start(
    [scripted('silent-600', FIRST), scripted('silent-3000', { setting: costs(1) })],
    hedged(),
  );
  expect(await (await streamed(gateway)).text()).toContain('[DONE]');
  const row = await lastRow(gateway);
  expect(row.info.attempts).toMatchObject([
    { channel: 2, race: 'lost' },
    { channel: 1, status: 200, race: 'won' },
  ]);
  expect(row.channel_id).toBe(1);
  await nothingOpen();
  expect(await houseOf(gateway)).toMatchObject([{ channel_id: 2, kind: 'hedge', calls: 1 }]);
});

test('both channels of a race fail: the caller gets one error and pays nothing', async () => {
  const first = await ownUpstream((_, response) => {
    setTimeout(() => response.writeHead(500).end('{"error":{"message":"gone"}}'), DEADLINE_MS * 2);
  });
  const second = await ownUpstream((_, response) => {
    setTimeout(() => response.writeHead(503).end('{"error":{"message":"busy"}}'), DEADLINE_MS * 2);
  });
  const gateway = await start([{ baseUrl: first, ...FIRST }, { baseUrl: second }], hedged());
  const response = await streamed(gateway);
  expect(response.status).toBe(503);
  expect((await response.text()).match(/"error"/g)?.length).toBe(1);
  const { info } = await lastRow(gateway);
  expect(info.attempts).toMatchObject([
    { channel: 1, status: 500, race: 'lost' },
    { channel: 2, status: 503, race: 'lost' },
  ]);
  expect(await gateway.balance()).toMatchObject({ used: 0 });
  expect(await houseOf(gateway)).toEqual([]);
});

test('two channels that both refuse the thoughts of another maker are each asked again without them', async () => {
  const asked: string[] = [];
  const refusing = (name: string, waitMs: number) =>
    ownUpstream((body, response) => {
      asked.push(`${name} ${body.includes('c2VhbA==') ? 'signed' : 'unsigned'}`);
      setTimeout(() => {
        if (body.includes('c2VhbA=='))
          response.writeHead(400, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              type: 'error',
              error: { type: 'invalid_request_error', message: 'Invalid `signature` in `thinking` block' },
            }),
          );
        else
          setTimeout(() => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            for (const event of ANTHROPIC)
              response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
            response.end();
          }, waitMs);
      }, DEADLINE_MS * 2);
    });
  const [first, second] = [await refusing('first', 3000), await refusing('second', 0)];
  const gateway = await start(
    [
      { baseUrl: first, type: 14, ...FIRST },
      { baseUrl: second, type: 14 },
    ],
    hedged(),
  );
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.key,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 5000,
      stream: true,
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2VhbA==' },
            { type: 'text', text: 'so' },
          ],
        },
        { role: 'user', content: 'on' },
      ],
    }),
  });
  expect(await response.text()).toContain('message_stop');
  expect(asked).toEqual(['first signed', 'second signed', 'first unsigned', 'second unsigned']);
  expect((await lastRow(gateway)).info.attempts.map(({ channel, race }) => [channel, race])).toEqual([
    [1, 'lost'],
    [2, 'won'],
  ]);
});

test('a caller who leaves during a race stops both channels and pays nothing', async () => {
  const gateway = await start(
    [scripted('hang-before-headers', FIRST), scripted('hang-after-headers')],
    hedged(),
  );
  const caller = new AbortController();
  const gone = streamed(gateway).catch(() => undefined);
  const leaving = chat(gateway, { stream: true }, { signal: caller.signal }).catch(() => undefined);
  await expect.poll(async () => (await simulator().calls()).open).toBe(4);
  caller.abort();
  await leaving;
  await expect.poll(async () => (await simulator().calls()).open).toBe(2);
  await expect.poll(async () => (await gateway.logs()).length).toBe(1);
  const [row] = await gateway.logs();
  const { admin_info: info } = JSON.parse(row?.other ?? '{}') as { readonly admin_info: AdminInfo };
  expect(info.attempts.map(({ channel }) => channel).toSorted()).toEqual([1, 2]);
  expect(await gateway.balance()).toMatchObject({ used: 0 });
  expect(await houseOf(gateway)).toEqual([]);
  await gateway.stopTaking(0);
  await gone;
});
test('a winner that breaks off after its first event is charged as it came, and nobody else is asked', async () => {
  const gateway = await start([scripted('silent-3000', FIRST), scripted('reset-mid-stream')], hedged());
  await (await streamed(gateway)).text().catch(() => '');
  const row = await lastRow(gateway);
  expect(row.info.attempts.length).toBe(2);
  expect(row.channel_id).toBe(2);
  expect(row.quota).toBeGreaterThan(0);
  await nothingOpen();
});

test('a race of Responses streams is one answer with one id', async () => {
  const gateway = await start([scripted('silent-2000', FIRST), good()], hedged());
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'hello', stream: true }),
  });
  const text = await response.text();
  expect(text.match(/event: response.completed/g)?.length).toBe(1);
  const row = await lastRow(gateway);
  expect(row.info.attempts.map(({ race }) => race)).toEqual(['lost', 'won']);
  await nothingOpen();
});

test('a hundred races: every call is answered and charged once, every loser is booked once', async () => {
  const gateway = await start(
    [scripted('silent-5000', { ...FIRST, setting: costs(10) }), good({ setting: costs(1) })],
    { ...hedged(), 'upstream_setting.retry_percent': 100 },
  );
  const texts = await Promise.all(Array.from({ length: 100 }, async () => (await streamed(gateway)).text()));
  expect(texts.filter((text) => text.includes('[DONE]')).length).toBe(100);
  const rows = await rowsOf(gateway, 100);
  const raced = rows.filter(({ info }) => info.attempts.length === 2);
  expect(raced.length).toBe(100);
  expect(raced.every(({ channel_id }) => channel_id === 2)).toBe(true);
  const used = rows.reduce((sum, { quota }) => sum + quota, 0);
  expect(await gateway.balance()).toMatchObject({ used, calls: 100 });
  await nothingOpen();
  expect(await houseOf(gateway)).toMatchObject([{ channel_id: 1, kind: 'hedge', calls: 100 }]);
});

test('races are a share of the calls; the others leave the silent channel', async () => {
  const gateway = await start([scripted('hang-before-headers', FIRST), good()], {
    ...hedged(10),
    'upstream_setting.retry_percent': 100,
  });
  await Promise.all(Array.from({ length: 50 }, async () => (await streamed(gateway)).text()));
  const rows = await rowsOf(gateway, 50);
  const raced = rows.filter(({ info }) => info.attempts.some(({ race }) => race !== undefined));
  expect(raced.length).toBe(5);
  expect(rows.every(({ info }) => info.attempts.at(-1)?.status === 200)).toBe(true);
});

test('with everything failing 500 calls make at most 600 calls upstream, and the rows say what was not tried', async () => {
  const gateway = await start(
    Array.from({ length: 5 }, () => scripted('status-503')),
    { RetryTimes: 4 },
  );
  for (let round = 0; round < 20; round += 1)
    await Promise.all(Array.from({ length: 25 }, async () => (await chat(gateway)).text()));
  expect((await simulator().calls()).count).toBeLessThanOrEqual(600);
  const rows = await rowsOf(gateway, 500);
  const refused = rows.filter(({ info }) => info.retries_refused === true);
  expect(refused.length).toBeGreaterThan(300);
  expect(refused.every(({ info }) => info.attempts.length < 5)).toBe(true);
});

test('a lone failure gets its retries', async () => {
  const gateway = await start([...Array.from({ length: 10 }, () => scripted('status-503', FIRST)), good()], {
    RetryTimes: 10,
  });
  expect((await chat(gateway)).status).toBe(200);
  expect((await lastRow(gateway)).info.attempts.length).toBe(11);
});

test('a deadline learned from the model’s own streams counts once there are enough of them', async () => {
  let isHanging = false;
  const own = await ownUpstream((_, response) => {
    if (isHanging) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`);
  });
  const gateway = await start([{ baseUrl: own, ...FIRST }, good()], {
    'upstream_setting.first_token': { '*': { deadline_ms: 'auto', least_ms: 200, most_ms: 400 } },
  });
  for (let call = 0; call < 19; call += 1) await (await streamed(gateway)).text();
  isHanging = true;
  const tooEarly = new AbortController();
  const waiting = chat(gateway, { stream: true }, { signal: tooEarly.signal }).catch(() => undefined);
  await new Promise((resolve) => void setTimeout(resolve, 1000));
  tooEarly.abort();
  await waiting;
  isHanging = false;
  await (await streamed(gateway)).text();
  isHanging = true;
  const startedMs = performance.now();
  expect(await (await streamed(gateway)).text()).toContain('[DONE]');
  expect(performance.now() - startedMs).toBeGreaterThan(190);
  const rows = await rowsOf(gateway, 22);
  expect(rows.map(({ info }) => info.attempts.length)).toEqual([...Array.from({ length: 21 }, () => 1), 2]);
});
