import { expect, test } from 'vitest';
import { chat } from './rig.ts';
import { DEADLINE_MS, FIRST, haste, hedged, lastRow, ownUpstream, rowsOf, streamed } from './late-streams.ts';
import { useGateway } from './use-gateway.ts';

/** A stream whose first token does not come goes to another channel, and further attempts have a budget. */

const { start, scripted, good, simulator } = useGateway();

/** Waits until all calls of the test have ended at the upstream, so that none runs on unheard. */
const nothingOpen = () => expect.poll(async () => (await simulator().calls()).open).toBe(0);

const CHUNK = {
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
};
test('one of three channels hangs: no call fails, and the slowest takes one deadline more', async () => {
  const gateway = await start([scripted('hang-before-headers'), good(), good()], haste());
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await new Promise((resolve) => void setTimeout(resolve, index * 10));
      const response = await streamed(gateway);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('[DONE]');
    }),
  );
  const rows = await rowsOf(gateway, 60);
  // On a busy machine a good channel may be late too; then the call moves on, which is not the subject here.
  const late = rows.filter(({ info }) => info.attempts.length > 1 && info.attempts[0]?.channel === 1);
  expect(late.length).toBeGreaterThan(0);
  for (const { info } of late) {
    expect(info.attempts.at(-1)?.status).toBe(200);
    expect(info.attempts[0]).toMatchObject({ status: 0, error: 'the upstream sent no event within 0.3 s' });
    // It waited only for the hanging channel, and only once.
    expect(info.attempts.filter(({ channel }) => channel === 1)).toHaveLength(1);
  }
  // A late call takes no longer than another plus one deadline, so it waited for one channel only. Both are the server's measurements:
  // delays of this process on a busy machine are not the gateway's.
  const others = rows.filter(({ info }) => info.attempts.length === 1);
  const slowestMs = Math.max(...others.map(({ use_time_ms: ms }) => ms));
  for (const { info, use_time_ms: tookMs } of late.filter((row) => row.info.attempts.length === 2)) {
    const deadlineMs = info.attempts[0]?.ms ?? 0;
    expect(deadlineMs).toBeGreaterThanOrEqual(DEADLINE_MS - 20);
    expect(tookMs - deadlineMs).toBeLessThan(slowestMs + DEADLINE_MS);
  }
  await nothingOpen();
});

test.each(['hang-after-headers', 'pings-forever', 'begins-then-pings'])(
  'a stream that has begun without content is late as well: %s',
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
  const gateway = await start([scripted('silent-900', FIRST), good()], {
    ...hedged(),
    // No chat is charged for a tool that an upstream runs.
    'global.unpriced_work_enabled': true,
  });
  const response = await chat(gateway, body);
  await response.text();
  const { info } = await lastRow(gateway);
  expect(info.attempts.map(({ channel }) => channel)).toEqual([1]);
});

test('with everything failing 500 calls make at most 600 calls upstream, and the rows name the retries that were not made', async () => {
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

test('a single failing call gets its retries', async () => {
  const gateway = await start([...Array.from({ length: 10 }, () => scripted('status-503', FIRST)), good()], {
    RetryTimes: 10,
  });
  expect((await chat(gateway)).status).toBe(200);
  expect((await lastRow(gateway)).info.attempts.length).toBe(11);
});

test('a deadline learned from the model’s own streams counts once there are twenty of them', async () => {
  let isSlow = false;
  const own = await ownUpstream((_, response) => {
    const answer = (): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`);
    };
    if (isSlow) setTimeout(answer, DEADLINE_MS * 4);
    else answer();
  });
  const gateway = await start([{ baseUrl: own, ...FIRST }, good()], {
    'upstream_setting.first_token': { '*': { deadline_ms: 'auto', least_ms: 200, most_ms: 400 } },
  });
  for (let call = 0; call < 19; call += 1) await (await streamed(gateway)).text();
  isSlow = true;
  for (let call = 0; call < 2; call += 1) expect(await (await streamed(gateway)).text()).toContain('[DONE]');
  const rows = await rowsOf(gateway, 21);
  expect(rows.map(({ info }) => info.attempts.length)).toEqual([...Array.from({ length: 20 }, () => 1), 2]);
});
