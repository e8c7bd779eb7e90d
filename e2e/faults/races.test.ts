import { expect, test } from 'vitest';
import { chat, type Rig } from './rig.ts';
import {
  DEADLINE_MS,
  FIRST,
  firstInfo,
  hedged,
  lastRow,
  ownUpstream,
  rowsOf,
  streamed,
} from './late-streams.ts';
import { useGateway } from './use-gateway.ts';

/** Two channels race for a late stream: the first answer is taken and charged once, the house bears the other. */

const { start, scripted, good, simulator } = useGateway();

/** Ten times the price of the second, so that the books show which one was paid. */
const costs = (input: number) =>
  JSON.stringify({
    cost: { models: { m: { input, output: input }, 'fault-hang-before-headers': { input, output: input } } },
  });

const houseOf = (gateway: Rig) =>
  gateway.database.reader.selectFrom('house_costs').selectAll().orderBy('channel_id').execute();
/** Waits until all calls of the test have ended at the upstream, so that none runs on unheard. */
const nothingOpen = () => expect.poll(async () => (await simulator().calls()).open).toBe(0);

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

test('a race is won by the first answer, charged once by its channel, and the loser is stopped and a cost of the house', async () => {
  const gateway = await start(
    [scripted('hang-before-headers', { ...FIRST, setting: costs(10) }), good({ setting: costs(1) })],
    hedged(),
  );
  const response = await streamed(gateway);
  const text = await response.text();
  expect(text).toContain('[DONE]');
  expect(text.match(/\[DONE\]/g)?.length).toBe(1);
  const row = await lastRow(gateway);
  expect(row.channel_id).toBe(2);
  expect(row.info.attempts).toMatchObject([
    { channel: 1, status: 0, race: 'lost', error: 'another channel answered first', at: expect.any(Number) },
    { channel: 2, status: 200, race: 'won' },
  ]);
  expect(row.info.attempts[1]?.at).toBeGreaterThanOrEqual(DEADLINE_MS);
  expect(row.info.attempts[0]?.connect).toBeTypeOf('number');
  expect(row.info.attempts[0]?.head).toBeUndefined();
  // The stages of the winner follow each other, up to the last piece.
  const { stages, attempts } = row.info;
  const { at = 0, connect = 0, head = 0, ms = 0 } = attempts[1] ?? {};
  const inOrder = [0, stages.read, stages.hold, at, at + connect, at + head, at + ms, stages.last ?? 0];
  for (const [index, time] of inOrder.entries())
    expect(time + 2).toBeGreaterThanOrEqual(inOrder[index - 1] ?? 0);
  expect(await gateway.balance()).toMatchObject({ used: row.quota, calls: 1 });
  expect(row.cost).toBe((row.prompt_tokens + row.completion_tokens) * 1000);
  await nothingOpen();
  const house = await houseOf(gateway);
  expect(house).toMatchObject([{ channel_id: 1, kind: 'hedge', calls: 1, uncosted_calls: 0 }]);
  // The prompt as it was estimated, at ten dollars for a million.
  expect(house[0]?.cost).toBeGreaterThan(0);
  expect((house[0]?.cost ?? 0) % 10_000).toBe(0);
  // Its connection is closed, so it can answer nothing more.
  const { calls } = await simulator().calls();
  expect(calls.map(({ state }) => state)).toEqual(['cut', 'finished']);
});

test('the silent channel of a race may still win, and then the other is the loser', async () => {
  const gateway = await start(
    [scripted('silent-600', FIRST), scripted('hang-before-headers', { setting: costs(1) })],
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
  // The first fails when the second has been asked, and the second after it.
  const secondAsked = Promise.withResolvers<void>();
  const firstFailed = Promise.withResolvers<void>();
  const first = await ownUpstream(async (_, response) => {
    await secondAsked.promise;
    response.writeHead(500).end('{"error":{"message":"gone"}}', firstFailed.resolve);
  });
  const second = await ownUpstream(async (_, response) => {
    secondAsked.resolve();
    await firstFailed.promise;
    response.writeHead(503).end('{"error":{"message":"busy"}}');
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

test('two channels that both refuse the thoughts of another maker are each called again without them', async () => {
  const questions = ['first signed', 'second signed', 'first unsigned', 'second unsigned'];
  const asked: string[] = [];
  const gates = questions.map(() => Promise.withResolvers<void>());
  /** Each is answered once the next has been asked, however busy the machine is; the slower one of the race is never answered. */
  const refusing = (name: string) =>
    ownUpstream(async (body, response) => {
      const question = `${name} ${body.includes('c2VhbA==') ? 'signed' : 'unsigned'}`;
      asked.push(question);
      const at = questions.indexOf(question);
      gates[at]?.resolve();
      await gates[at + 1]?.promise;
      if (question.endsWith(' signed')) {
        const error = { type: 'invalid_request_error', message: 'Invalid `signature` in `thinking` block' };
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ type: 'error', error }));
      } else if (name === 'second') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of ANTHROPIC)
          response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        response.end();
      }
    });
  const [first, second] = [await refusing('first'), await refusing('second')];
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
  expect(asked).toEqual(questions);
  expect((await lastRow(gateway)).info.attempts.map(({ channel, race }) => [channel, race])).toEqual([
    [1, 'lost'],
    [2, 'won'],
  ]);
});

test('a caller who leaves during a race stops both channels and pays nothing, and the house bears both', async () => {
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
  const info = await firstInfo(gateway);
  expect(info.attempts.map(({ channel }) => channel).toSorted((left, right) => left - right)).toEqual([1, 2]);
  expect(await gateway.balance()).toMatchObject({ used: 0 });
  const costs = async () =>
    (await houseOf(gateway)).map(({ channel_id: id, kind, calls }) => [id, kind, calls]);
  await expect.poll(costs).toEqual([
    [1, 'hedge', 1],
    [2, 'hedge', 1],
  ]);
  await gateway.stopTaking(0);
  await gone;
});
test('a winner that breaks off after its first event is charged for what it sent, and no other channel is tried', async () => {
  const gateway = await start([scripted('silent-3000', FIRST), scripted('reset-mid-stream')], hedged());
  await (await streamed(gateway)).text().catch(() => '');
  const row = await lastRow(gateway);
  expect(row.info.attempts.length).toBe(2);
  expect(row.channel_id).toBe(2);
  expect(row.quota).toBeGreaterThan(0);
  await nothingOpen();
});

test('a body so large that another thread reads it races as well, in two formats at once', async () => {
  const gateway = await start([scripted('silent-5000', FIRST), good({ type: 14 })], hedged());
  const words = 'tell me more about it '.repeat(40_000);
  const response = await streamed(gateway, { messages: [{ role: 'user', content: words }] });
  expect(await response.text()).toContain('[DONE]');
  const row = await lastRow(gateway);
  expect(row.info.attempts.map(({ channel, race }) => [channel, race])).toEqual([
    [1, 'lost'],
    [2, 'won'],
  ]);
  await nothingOpen();
  expect(await houseOf(gateway)).toMatchObject([{ channel_id: 1, kind: 'hedge', calls: 1 }]);
});

test('a race of Responses streams is one answer with one id', async () => {
  const gateway = await start([scripted('silent-20000', FIRST), good()], hedged());
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
  // Each call has a silent channel of its own, because a channel that lost is not asked again for a while.
  const models = Array.from({ length: 100 }, (_, index) => `model-${index}`);
  const silent = models.map((model) =>
    scripted('silent-5000', {
      ...FIRST,
      models: model,
      modelMapping: JSON.stringify({ [model]: 'fault-silent-5000' }),
    }),
  );
  const gateway = await start([...silent, good({ models: models.join(',') })], {
    ModelRatio: Object.fromEntries(models.map((name) => [name, 1])),
    'upstream_setting.first_token': { 'model-*': { deadline_ms: DEADLINE_MS, hedge: true } },
    'upstream_setting.hedge_percent': 100,
  });
  const texts = await Promise.all(models.map(async (model) => (await streamed(gateway, { model })).text()));
  expect(texts.filter((text) => text.includes('[DONE]')).length).toBe(100);
  const rows = await rowsOf(gateway, 100);
  const ends = rows.map(({ info }) => info.attempts.map(({ race }) => race ?? 'alone').join(' '));
  expect(new Set(ends)).toEqual(new Set(['lost won']));
  expect(rows.every(({ channel_id }) => channel_id === 101)).toBe(true);
  const used = rows.reduce((sum, { quota }) => sum + quota, 0);
  expect(await gateway.balance()).toMatchObject({ used, calls: 100 });
  await nothingOpen();
  const house = await houseOf(gateway);
  expect(house.map(({ channel_id: id, kind, calls }) => [id, kind, calls])).toEqual(
    models.map((_, index) => [index + 1, 'hedge', 1]),
  );
});

test('races are a share of the calls; the others leave the silent channel', async () => {
  const gateway = await start([scripted('hang-before-headers', FIRST), good()], {
    ...hedged(10),
    'upstream_setting.retry_percent': 100,
  });
  await Promise.all(Array.from({ length: 50 }, async () => (await streamed(gateway)).text()));
  const rows = await rowsOf(gateway, 50);
  const raced = rows.filter(({ info }) => info.attempts.some(({ race }) => race !== undefined));
  // A tenth of the calls that had begun by then.
  expect(raced.length).toBeLessThanOrEqual(5);
  expect(raced.length).toBeGreaterThan(0);
  expect(rows.every(({ info }) => info.attempts.at(-1)?.status === 200)).toBe(true);
});
