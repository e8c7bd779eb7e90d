import { describe, expect, test } from 'vitest';
import { operationRequest } from './operations.ts';
import { chat, type Rig } from './rig.ts';
import { useGateway } from './use-gateway.ts';

/** An upstream that takes a call and then says nothing: a failed attempt after its time, and the call goes on. */

const { start, scripted, good, simulator } = useGateway();

const LIMITS = { first_byte_timeout_ms: 1000, first_event_timeout_ms: 1400, whole_reply_timeout_ms: 1400 };
const setting = JSON.stringify(LIMITS);
const ANSWER = 'All is well with the simulated upstream.';

const attemptsOf = async (gateway: Rig) => {
  await expect.poll(async () => (await gateway.logs()).length).toBeGreaterThan(0);
  const other = JSON.parse((await gateway.logs()).at(-1)?.other ?? '{}') as {
    readonly admin_info: {
      readonly attempts?: readonly {
        readonly channel: number;
        readonly status: number;
        readonly error?: string;
      }[];
    };
  };
  return other.admin_info.attempts;
};

/** Where it falls silent, and for what it is given up: as a stream and as a whole reply. */
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

describe.each(silences)('a channel that does %s', (script, why) => {
  test.each(script === 'begins-then-pings' ? [true] : [true, false])(
    'is a failed attempt after its limit; the next one answers; stream %s',
    async (stream) => {
      const silent = { priority: 9, setting };
      const gateway = await start([scripted(script, silent), good()], { RetryTimes: 1 });
      const response = await chat(gateway, { stream });
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('"error"');
      const cause = why.includes('head') || stream ? why : 'not done within 1.4 s';
      expect(await attemptsOf(gateway)).toMatchObject([
        { channel: 1, status: 0, error: expect.stringContaining(cause) },
        { channel: 2, status: 200 },
      ]);
      // The attempt that was given up is closed at its upstream.
      await expect.poll(async () => (await simulator().calls()).open).toBe(0);
    },
  );
});

test('comments alone in the middle of an answer end as a silence, and are charged for what came', async () => {
  const gateway = await start([scripted('pings-mid-stream', { setting })]);
  const text = await (await chat(gateway, { stream: true })).text();
  expect(text).toMatch(/silent for 1\.4 s in the middle.*\n\ndata: \[DONE\]\n\n$/);
  await expect.poll(async () => (await gateway.balance()).used).toBeGreaterThan(0);
  await expect.poll(async () => (await simulator().calls()).open).toBe(0);
});

test('where every channel is silent, the caller gets 504 in its own format, and pays nothing', async () => {
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

test('no retry is made where none is allowed', async () => {
  const gateway = await start([scripted('hang-before-headers', { priority: 9, setting }), good()]);
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

test.each(acts)('%s is never asked for twice', async (_, operation, body) => {
  const gateway = await start([scripted('hang-before-headers', { priority: 9, setting }), good()], {
    RetryTimes: 3,
  });
  const response = await operationRequest(gateway, operation, body);
  expect(response.status).toBe(504);
  expect((await simulator().calls()).count).toBe(1);
});

test.each(['embeddings', 'moderations', 'rerank', 'speech', 'responses', 'messages', 'gemini'] as const)(
  '%s may be asked for again',
  async (operation) => {
    const gateway = await start([scripted('hang-before-headers', { priority: 9, setting }), good()], {
      RetryTimes: 1,
    });
    const response = await operationRequest(gateway, operation, {});
    expect(response.status, await response.clone().text()).toBe(200);
    expect((await simulator().calls()).count).toBe(2);
  },
);

test('what never went out is asked for again, whatever it is', async () => {
  const gateway = await start([{ baseUrl: 'http://127.0.0.1:1', priority: 9 }, good()], { RetryTimes: 1 });
  expect((await operationRequest(gateway, 'images', {})).status).toBe(200);
});
