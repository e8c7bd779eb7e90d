import { expect, test } from 'vitest';
import type { OptionValues } from '../../src/contract/options.ts';
import { operationRequest } from './operations.ts';
import { chat, type Rig, type RigChannel } from './rig.ts';
import { useGateway } from './use-gateway.ts';

/** An upstream that accepts a call and stays silent is a failed attempt after its timeout, and the call moves on. */

const { start, scripted, good, simulator } = useGateway();

const LIMITS = { first_byte_timeout_ms: 1000, first_event_timeout_ms: 1400, whole_reply_timeout_ms: 1400 };
const setting = JSON.stringify(LIMITS);
const ANSWER = 'All is well with the simulated upstream.';

interface Attempt {
  readonly channel: number;
  readonly status: number;
  readonly error?: string;
}
const attemptsIn = (other: string): readonly Attempt[] | undefined =>
  (JSON.parse(other) as { readonly admin_info: { readonly attempts?: readonly Attempt[] } }).admin_info
    .attempts;

const attemptsOf = async (gateway: Rig): Promise<readonly Attempt[] | undefined> => {
  await expect.poll(async () => (await gateway.logs()).length).toBeGreaterThan(0);
  return attemptsIn((await gateway.logs()).at(-1)?.other ?? '{}');
};

/** Where it falls silent, and which timeout ends the attempt: as a stream and as a whole reply. */
const silences = [
  ['hang-before-headers', 'no head within 1 s'],
  ['interim-forever', 'no head within 1 s'],
  ['head-by-the-byte', 'no head within 1 s'],
  ['hang-after-headers', 'no event within 1.4 s'],
  ['chunk-line-by-the-byte', 'no event within 1.4 s'],
  ['pings-forever', 'no event within 1.4 s'],
  ['blank-lines-forever', 'no event within 1.4 s'],
  ['begins-then-pings', 'no event within 1.4 s'],
  ['event-by-the-byte', 'no event within 1.4 s'],
] as const;

/** A channel of its own for a model, silent as a script says, before one that answers for all models. */
const silentFor = (model: string, script: string): RigChannel =>
  scripted(script, {
    models: model,
    modelMapping: JSON.stringify({ [model]: `fault-${script}` }),
    priority: 9,
    setting,
  });
const priced = (models: readonly string[], RetryTimes: number): Partial<OptionValues> => ({
  ModelRatio: Object.fromEntries(models.map((model) => [model, 1])),
  RetryTimes,
});

// All at once, since each of them is over a second of waiting.
test('a channel that falls silent is a failed attempt after its limit, and the next one answers', async () => {
  const calls = silences.flatMap(([script, why]) =>
    (script === 'begins-then-pings' ? [true] : [true, false]).map((stream) => ({
      script,
      stream,
      model: `${script} ${stream ? 'streamed' : 'whole'}`,
      cause: why.includes('head') || stream ? why : 'not done within 1.4 s',
    })),
  );
  const models = calls.map(({ model }) => model);
  const gateway = await start(
    [...calls.map(({ model, script }) => silentFor(model, script)), good({ models: models.join(',') })],
    priced(models, 1),
  );
  await Promise.all(
    calls.map(async ({ model, stream }) => {
      const response = await chat(gateway, { model, stream });
      expect([model, response.status]).toEqual([model, 200]);
      expect(await response.text()).not.toContain('"error"');
    }),
  );
  await expect.poll(async () => (await gateway.logs()).length).toBe(calls.length);
  const attempts = new Map(
    (await gateway.logs()).map(({ other }) => [attemptsIn(other)?.[0]?.channel, attemptsIn(other)]),
  );
  for (const [at, { model, cause }] of calls.entries())
    expect([model, attempts.get(at + 1)]).toMatchObject([
      model,
      [
        { channel: at + 1, status: 0, error: expect.stringContaining(cause) },
        { channel: calls.length + 1, status: 200 },
      ],
    ]);
  // The attempts that were given up are closed at their upstream.
  await expect.poll(async () => (await simulator().calls()).open).toBe(0);
});

test('comments alone in the middle of an answer end as a silence, and are charged for what came', async () => {
  const gateway = await start([scripted('pings-mid-stream', { setting })]);
  const text = await (await chat(gateway, { stream: true })).text();
  expect(text).toMatch(/silent for 1\.4 s in the middle.*\n\ndata: \[DONE\]\n\n$/);
  await expect.poll(async () => (await gateway.balance()).used).toBeGreaterThan(0);
  await expect.poll(async () => (await simulator().calls()).open).toBe(0);
});

test('comments after the whole answer, in place of its end mark, do not count as silence', async () => {
  const limits = JSON.stringify({ ...LIMITS, idle_timeout_ms: 3000 });
  const gateway = await start([scripted('pings-after-finish', { setting: limits })]);
  const text = await (await chat(gateway, { stream: true })).text();
  expect(text).not.toContain('error');
  expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  await expect.poll(async () => (await simulator().calls()).open).toBe(0);
});

test('if every channel is silent, the caller gets 504 in its own format and pays nothing', async () => {
  const gateway = await start(
    [scripted('hang-before-headers', { setting }), scripted('pings-forever', { setting })],
    { RetryTimes: 3 },
  );
  const response = await chat(gateway, { stream: true });
  expect(response.status).toBe(504);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/within 1/) } });
  await expect.poll(gateway.openHolds).toBe(0);
  expect((await gateway.balance()).used).toBe(0);
});

test.each(['hang-before-headers', 'reset', 'close-unanswered', 'empty-stream'])(
  'a new site leaves a silent channel by default: %s',
  async (script) => {
    const gateway = await start([scripted(script, { priority: 9, setting }), good()]);
    for (const stream of [true, false]) expect((await chat(gateway, { stream })).status).toBe(200);
    expect((await simulator().calls()).count).toBeGreaterThanOrEqual(3);
  },
);

test('no retry is made where none is allowed', async () => {
  const options = { 'upstream_setting.silent_retries': 0 };
  const gateway = await start([scripted('hang-before-headers', { priority: 9, setting }), good()], options);
  expect((await chat(gateway)).status).toBe(504);
  expect((await simulator().calls()).count).toBe(1);
});

test.each(['status-504', 'status-524'])('%s of a proxy before it is such a silence', async (script) => {
  const gateway = await start([scripted(script, { priority: 9 }), good()], { RetryTimes: 1 });
  expect((await chat(gateway, { stream: true })).status).toBe(200);
  expect((await simulator().calls()).count).toBe(2);
});

test('the limit of a model counts where the channel has none, and the channel’s own before it', async () => {
  const options = {
    RetryTimes: 1,
    'upstream_setting.model_timeouts': { 'm*': LIMITS },
  };
  const gateway = await start([scripted('hang-before-headers', { priority: 9 }), good()], options);
  expect((await chat(gateway, { stream: true })).status).toBe(200);
  expect(await attemptsOf(gateway)).toMatchObject([
    { error: expect.stringContaining('no head within 1 s') },
    {},
  ]);
  await gateway.stop();
  const own = await start(
    [
      scripted('silent-1500', { setting: '{"first_byte_timeout_ms":5000,"first_event_timeout_ms":5000}' }),
      good({ priority: -1 }),
    ],
    options,
  );
  expect(await (await chat(own, { stream: true })).text()).toContain(ANSWER.split(' ')[0]);
  expect(await attemptsOf(own)).toMatchObject([{ channel: 1, status: 200 }]);
});

test('a silent channel is left alone at once: the calls after it do not wait for it', async () => {
  const gateway = await start([scripted('hang-before-headers', { priority: 9, setting }), good()], {
    RetryTimes: 1,
  });
  for (let call = 0; call < 4; call += 1) expect((await chat(gateway)).status).toBe(200);
  expect((await simulator().calls()).byModel['fault-hang-before-headers']).toBe(1);
});

const acts = [
  ['a response made in the background', 'responses', { background: true }],
  ['a response that is stored because the caller says so', 'responses', { store: true }],
  ['a tool that draws', 'responses', { tools: [{ type: 'image_generation', model: 'm' }] }],
  [
    'a tool that runs code',
    'responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  ],
  [
    'a tool of a server elsewhere',
    'responses',
    { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://x.example' }] },
  ],
  ['a picture', 'images', {}],
] as const;

test('calls with effects or costs elsewhere are never repeated', async () => {
  const models = acts.map(([name]) => name);
  const gateway = await start(
    [...models.map((model) => silentFor(model, 'hang-before-headers')), good({ models: models.join(',') })],
    priced(['m', ...models], 3),
  );
  const answers = await Promise.all(
    acts.map(([model, operation, body]) => operationRequest(gateway, operation, { ...body, model })),
  );
  expect(answers.map(({ status }, at) => [models[at], status])).toEqual(models.map((model) => [model, 504]));
  expect((await simulator().calls()).count).toBe(acts.length);
});

test('calls that only read or answer may be repeated', async () => {
  const operations = [
    'embeddings',
    'moderations',
    'rerank',
    'speech',
    'responses',
    'messages',
    'gemini',
  ] as const;
  const gateway = await start(
    [
      // Gemini's path has the model in it.
      ...operations.map((one) => silentFor(one === 'gemini' ? 'm' : one, 'hang-before-headers')),
      good({ models: `m,${operations.join(',')}` }),
    ],
    priced(['m', ...operations], 1),
  );
  const answers = await Promise.all(
    operations.map((one) => operationRequest(gateway, one, one === 'gemini' ? {} : { model: one })),
  );
  expect(answers.map(({ status }, at) => [operations[at], status])).toEqual(
    operations.map((one) => [one, 200]),
  );
  expect((await simulator().calls()).byModel['fault-hang-before-headers']).toBe(operations.length);
  expect((await simulator().calls()).count).toBe(2 * operations.length);
});

test('a request that was not sent completely is sent again, whatever it is', async () => {
  const gateway = await start([{ baseUrl: 'http://127.0.0.1:1', priority: 9 }, good()], { RetryTimes: 1 });
  expect((await operationRequest(gateway, 'images', {})).status).toBe(200);
});
