import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { untilStill } from '../../src/server/core/testing/until-still.ts';
import { startEndlessUpstream } from '../support/upstreams/endless-upstream.ts';
import { startHoldingUpstream } from '../support/upstreams/holding-upstream.ts';
import { chat, type Rig } from './rig.ts';
import { useGateway } from './use-gateway.ts';

const { start, scripted, good, simulator } = useGateway();

interface Other {
  readonly admin_info: {
    readonly use_channel: readonly string[];
    readonly attempts: readonly { readonly status: number }[];
  };
  readonly [key: string]: unknown;
}

const settled = async (
  from: Rig,
): Promise<{ type: number; quota: number; content: string; other: Other }> => {
  await expect.poll(() => from.openHolds()).toBe(0);
  const row = (await from.logs()).at(-1);
  if (row === undefined) throw new Error('no log row');
  return { type: row.type, quota: row.quota, content: row.content, other: JSON.parse(row.other) as Other };
};

describe('a call is charged', () => {
  test('the usage, whole and streamed alike, and the rest of the hold is given back', async () => {
    const gateway = await start([good()], {}, 1000);
    const whole = (await (await chat(gateway)).json()) as { usage: { total_tokens: number } };
    const after = await gateway.balance();
    expect(after).toEqual({
      left: 1000 - whole.usage.total_tokens,
      used: whole.usage.total_tokens,
      calls: 1,
    });
    await (await chat(gateway, { stream: true })).text();
    await expect.poll(async () => (await gateway.balance()).used).toBe(2 * whole.usage.total_tokens);
  });

  test.each([
    ['usage-twice', 'reported', 20],
    ['usage-each-chunk', 'reported', 20],
    // The 40 bytes of the answer are 10 tokens; the prompt is half of the 28 that were held for it.
    ['usage-missing', 'counted', 24],
    ['usage-negative', 'counted', 24],
    ['usage-huge', 'counted', 24],
    ['usage-text', 'counted', 24],
    ['usage-zero', 'counted', 24],
  ])('by a plausible report only: %s is %s', async (script, how, units) => {
    const gateway = await start([scripted(script)]);
    await (await chat(gateway, { stream: true })).text();
    const { quota, other } = await settled(gateway);
    const { estimated = false } = other['usage'] as { readonly estimated?: boolean };
    expect([estimated ? 'counted' : 'reported', quota]).toEqual([how, units]);
  });

  test('nothing if no channel answers; the log lists the attempts', async () => {
    const gateway = await start([scripted('status-500'), scripted('reset'), scripted('html-200')], {
      RetryTimes: 2,
    });
    const response = await chat(gateway);
    expect(response.status).toBe(502);
    const { type, other } = await settled(gateway);
    expect(type).toBe(5);
    expect(await gateway.balance()).toMatchObject({ used: 0, left: 1_000_000_000 });
    expect(other.admin_info.use_channel.toSorted()).toEqual(['1', '2', '3']);
  });

  test('what was produced if the stream breaks off, and the caller gets a well-formed error', async () => {
    const gateway = await start([scripted('reset-mid-stream')]);
    const text = await (await chat(gateway, { stream: true })).text();
    expect(text).toMatch(/"error":.*\n\ndata: \[DONE\]\n\n$/);
    const { type, quota, other } = await settled(gateway);
    expect([type, quota > 0]).toEqual([2, true]);
    expect(other['stream_status']).toEqual({ status: 'broken', end_reason: 'upstream_failed' });
  });

  test('and counted once: one hold opened and closed, whole and streamed alike', async () => {
    const gateway = await start([good()]);
    await (await chat(gateway)).text();
    await (await chat(gateway, { stream: true })).text();
    await settled(gateway);
    const count = (name: string) =>
      new RegExp(`^${name} (.+)$`, 'm').exec(gateway.metrics.counted().calls)?.[1];
    await expect.poll(() => [count('tollgate_open_holds'), count('tollgate_open_calls')]).toEqual(['0', '0']);
    expect((await gateway.balance()).calls).toBe(2);
  });

  test('and counted by its model, which no invented name ever becomes', async () => {
    const gateway = await start([good()]);
    await (await chat(gateway, { stream: true })).text();
    expect((await chat(gateway, { model: 'invented' })).status).toBe(404);
    await settled(gateway);
    const text = gateway.metrics.counted().calls;
    expect(text).toMatch(
      /^tollgate_model_calls_total\{model="m",group="default",channel="1",outcome="ok"\} 1$/m,
    );
    expect(text).toMatch(
      /^tollgate_tokens_total\{model="m",group="default",channel="1",kind="output"\} [1-9]/m,
    );
    expect(text).toMatch(/^tollgate_model_first_token_seconds_count\{model="m"\} 1$/m);
    expect(text).not.toContain('invented');
  });

  test('also if it failed midway, which no limit counts as a success', async () => {
    const gateway = await start([scripted('reset-mid-stream'), good({ models: 'n' })], {
      ModelRatio: { m: 1, n: 1 },
      ModelRequestRateLimitEnabled: true,
      ModelRequestRateLimitCount: 0,
      ModelRequestRateLimitSuccessCount: 1,
    });
    await (await chat(gateway, { stream: true })).text();
    expect((await settled(gateway)).quota).toBeGreaterThan(0);
    expect((await chat(gateway, { model: 'n' })).status).toBe(200);
    await expect.poll(async () => (await chat(gateway, { model: 'n' })).status).toBe(429);
  });

  test('once: 200 at the same time on a balance for 10 let exactly 10 reach the upstream', async () => {
    // Nobody is answered, and pays, before the last one has been refused.
    const upstream = await startHoldingUpstream();
    const gateway = await start([good({ baseUrl: upstream.url })], { PreConsumedQuota: 100 }, 2000);
    const statuses: number[] = [];
    const calls = Array.from({ length: 200 }, async () => {
      const response = await chat(gateway);
      statuses.push(response.status);
      await response.text();
    });
    await expect.poll(() => statuses.length).toBe(190);
    expect([new Set(statuses), upstream.held()]).toEqual([new Set([403]), 10]);
    upstream.answerAll();
    await Promise.all(calls);
    expect(statuses.slice(190)).toEqual(Array.from({ length: 10 }, () => 200));
    await upstream.stop();
    await expect.poll(() => gateway.openHolds()).toBe(0);
  });
});

describe('the next channel', () => {
  test.each([
    'status-500',
    'status-429',
    'reset',
    'html-200',
    'error-event-first',
    'error-after-role',
    'empty-stream',
    'only-done',
  ])('is taken when one fails before it answers: %s', async (script) => {
    const gateway = await start([scripted(script, { priority: 9 }), good()], { RetryTimes: 1 });
    const response = await chat(gateway, { stream: true });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('"error"');
    expect((await settled(gateway)).other.admin_info.use_channel).toEqual(['1', '2']);
  });

  test.each([
    ['status-400', 400],
    ['status-422', 422],
  ])('is asked after %s of one that has answered nothing, and believed', async (script, status) => {
    const refusing = scripted(script, { priority: 9 });
    const both = await start([refusing, scripted(script)], { RetryTimes: 3 });
    expect((await chat(both)).status).toBe(status);
    expect((await simulator().calls()).count).toBe(2);
    const gateway = await start([refusing, good()], { RetryTimes: 0 });
    expect((await chat(gateway)).status).toBe(200);
    expect((await settled(gateway)).other.admin_info.use_channel).toEqual(['1', '2']);
  });

  test('is not tried after the first real event', async () => {
    const gateway = await start([scripted('reset-mid-stream', { priority: 9 }), good()], { RetryTimes: 3 });
    expect(await (await chat(gateway, { stream: true })).text()).toContain('"error"');
    expect((await simulator().calls()).count).toBe(1);
    await settled(gateway);
  });

  test('answers another status where the channel maps it; the price stays', async () => {
    const gateway = await start([scripted('status-400', { statusCodeMapping: '{"400":"503"}' })]);
    expect((await chat(gateway)).status).toBe(503);
    expect((await gateway.balance()).used).toBe(0);
  });

  test('is switched off on a listed cause, and only where that is wanted', async () => {
    const gateway = await start(
      [
        scripted('status-401', { priority: 9 }),
        scripted('quota-used-up', { priority: 8, autoDisable: false }),
        good(),
      ],
      { RetryTimes: 3, AutomaticDisableChannelEnabled: true },
    );
    expect((await chat(gateway)).status).toBe(200);
    expect(gateway.disabled).toEqual([{ id: 1, reason: 'status 401, Incorrect API key provided.' }]);
  });
});

describe('bytes', () => {
  test('go through untouched, both ways, where nothing changes', async () => {
    const gateway = await start([good()]);
    const body = '{ "model":"m",\n "messages": [ {"role":"user","content":"h\\u00e9llo"} ], "seed": 1e2 }';
    const through = await chat(gateway, {}, { body });
    const direct = await fetch(`${simulator().url}/v1/chat/completions`, { method: 'POST', body });
    const id = /chatcmpl-sim\w+/;
    expect((await through.text()).replace(id, '')).toBe((await direct.text()).replace(id, ''));
    const [sent] = (await simulator().calls()).calls;
    expect(sent?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(sent?.headers['authorization']).not.toContain(gateway.key);
  });

  test('of a request are the same but for the model where the channel renames it', async () => {
    const gateway = await start([{ ...good(), modelMapping: '{"m":"a-longer-name"}' }]);
    const body =
      '{ "id":12345678901234567890, "messages": [ {"role":"user","content":"h\\u00e9llo"} ],\n "x": 1.0, "model" :"m" }';
    await (await chat(gateway, {}, { body })).text();
    const [sent] = (await simulator().calls()).calls;
    const renamed = body.replace('"m"', '"a-longer-name"');
    expect(sent?.headers['content-length']).toBe(String(Buffer.byteLength(renamed)));
  });

  test('of a stream are the same, but for usage the caller did not ask for', async () => {
    const gateway = await start([good()]);
    const asked = { stream: true, stream_options: { include_usage: true } };
    const direct = await fetch(`${simulator().url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 100,
        ...asked,
      }),
    });
    const strip = (text: string): string => text.replaceAll(/chatcmpl-sim\w+/g, '');
    const expected = strip(await direct.text());
    expect(strip(await (await chat(gateway, asked)).text())).toBe(expected);
    const quiet = strip(await (await chat(gateway, { stream: true })).text());
    expect(quiet).not.toContain('"prompt_tokens"');
    expect(quiet).toContain('data: [DONE]');
  });
});

/** Reads this many chunks of a stream and disconnects. Returns the number of chunks received. */
const leaveAfter = (gateway: Rig, chunks: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], stream: true });
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    const seen = (): number => text.split('data: ').length - 1;
    const leaveWhenDue = (): void => {
      if (seen() < chunks) return;
      socket.resetAndDestroy();
      resolve(seen());
    };
    socket.on('data', (data) => {
      text += data.toString();
      leaveWhenDue();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(seen()));
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
      leaveWhenDue,
    );
  });

describe('a caller who goes away', () => {
  test('after any chunk is charged for what was produced, never less for more chunks, and the upstream is cancelled', async () => {
    const gateway = await start([scripted('slow-bytes-1')]);
    const charge = async (chunks: number): Promise<number> => {
      const before = (await gateway.balance()).used;
      const seen = await leaveAfter(gateway, chunks);
      await expect.poll(() => gateway.openHolds()).toBe(0);
      // On a busy machine several chunks may come at once: such a call says nothing about this number of chunks.
      return seen > chunks && chunks > 0 ? charge(chunks) : (await gateway.balance()).used - before;
    };
    const charged: number[] = [];
    for (const chunks of [0, 2, 4, 6, 8]) charged.push(await charge(chunks));
    expect(charged).toEqual(charged.toSorted((a, b) => a - b));
    expect(charged[0]).toBe(0);
    expect(charged.at(-1)).toBeGreaterThan(0);
    await expect.poll(async () => (await simulator().calls()).open).toBe(0);
  });

  test('is kept from filling the memory when it only stops reading', async () => {
    const upstream = await startEndlessUpstream();
    const gateway = await start([{ baseUrl: upstream.url }]);
    const response = await chat(gateway, { stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    // What sockets and the two ends of this process buffer is a few megabytes.
    expect(await untilStill(upstream.givenBytes)).toBeLessThan(64 * 1024 * 1024);
    await reader?.cancel();
    expect((await settled(gateway)).quota).toBeGreaterThan(0);
    upstream.stop();
  });
});
