import { describe, expect, test } from 'vitest';
import type { Rig } from '../faults/rig.ts';
import { dial, upstreamThat } from '../support/realtime-call.ts';
import { useGateway } from '../faults/use-gateway.ts';

/** A caller's message is forwarded once its answer can be paid, whatever its length and form. */

const { start } = useGateway();

const OPTIONS = { ModelRatio: { talk: 1 }, CompletionRatio: { talk: 1 }, AudioRatio: { talk: 1 } };
/** 2048 read, 2048 heard, and an answer of 4096. */
const FIRST_HOLD = 8192;
const PROMPT = 'word '.repeat(6000);
const USAGE = { total_tokens: 300, input_tokens: 200, output_tokens: 100 };

/** An upstream that records all messages, and answers those that ask for an answer. */
const startUpstream = async () => {
  const heard: string[] = [];
  const url = await upstreamThat((socket) => {
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      heard.push(type);
      if (type === 'response.create') {
        socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }));
        socket.send(JSON.stringify({ type: 'response.output_text.delta', delta: 'la '.repeat(200) }));
      }
      if (type === 'end')
        socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', usage: USAGE } }));
      socket.send(JSON.stringify({ type: 'heard', what: type }));
    });
  });
  return { heard, url };
};

const heldUnits = async (rig: Rig): Promise<number> => {
  const rows = await rig.database.reader
    .selectFrom('holds')
    .select('amount')
    .where('state', '=', 'open')
    .execute();
  return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
};

const talking = async (quotaUnits?: number) => {
  const upstream = await startUpstream();
  const rig = await start([{ baseUrl: upstream.url, models: 'talk' }], OPTIONS, quotaUnits);
  return { rig, upstream, call: await dial(rig) };
};

const says = {
  instructions: { type: 'session.update', session: { instructions: PROMPT } },
  'an item': {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: PROMPT }] },
  },
  'a question': { type: 'response.create', response: { instructions: PROMPT } },
};

describe.each(Object.entries(says))('a long prompt: %s', (_, message) => {
  test('is held before it goes on', async () => {
    const { rig, upstream, call } = await talking();
    call.say(message);
    await expect.poll(() => upstream.heard).toEqual([message.type]);
    expect(await heldUnits(rig)).toBeGreaterThan(15_000 + 2048 + 4096);
    expect(await rig.openHolds()).toBe(1);
    call.socket.close();
    await expect.poll(() => rig.openHolds()).toBe(0);
  });

  test('never reaches an upstream where it cannot be paid', async () => {
    const { rig, upstream, call } = await talking(FIRST_HOLD + 5000);
    call.say(message);
    expect(await call.closed).toEqual([1008, 'insufficient_user_quota']);
    expect(call.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } });
    expect(upstream.heard).toEqual([]);
    await expect.poll(() => rig.openHolds()).toBe(0);
    expect(await rig.balance()).toMatchObject({ left: FIRST_HOLD + 5000, used: 0 });
  });

  test('can be paid with what was held for a shorter one', async () => {
    const { rig, upstream, call } = await talking(28_000);
    call.say(message);
    await expect.poll(() => upstream.heard).toEqual([message.type]);
    call.socket.close();
    await expect.poll(() => rig.openHolds()).toBe(0);
  });
});

test('sound in small pieces is held as it comes', async () => {
  const { rig, upstream, call } = await talking();
  // Ten minutes in pieces of six seconds.
  const audio = 'A'.repeat((6 * 48_000 * 4) / 3);
  for (let piece = 0; piece < 100; piece += 1) call.say({ type: 'input_audio_buffer.append', audio });
  await expect.poll(() => upstream.heard.length).toBe(100);
  expect(await heldUnits(rig)).toBeGreaterThan(10_000 + 2048 + 4096);
  call.socket.close();
  await expect.poll(() => rig.openHolds()).toBe(0);
});

test('what is said while an answer is made is held for the next', async () => {
  const { rig, upstream, call } = await talking();
  call.say({ type: 'response.create' });
  await expect.poll(() => upstream.heard).toEqual(['response.create']);
  call.say(says['an item']);
  await expect.poll(() => upstream.heard.length).toBe(2);
  expect(await heldUnits(rig)).toBe(FIRST_HOLD);
  call.say({ type: 'end' });
  await expect.poll(async () => (await rig.balance()).used).toBe(300);
  await expect.poll(() => heldUnits(rig)).toBeGreaterThan(15_000 + 4096);
  call.socket.close();
  await expect.poll(() => rig.openHolds()).toBe(0);
});

test('an answer whose caller leaves in the middle costs what was said before it, too', async () => {
  const { rig, upstream, call } = await talking();
  call.say(says['an item']);
  call.say({ type: 'response.create' });
  await expect.poll(() => upstream.heard.length).toBe(2);
  await expect.poll(() => call.events.some(({ type }) => type === 'response.output_text.delta')).toBe(true);
  call.socket.terminate();
  await expect.poll(() => rig.openHolds()).toBe(0);
  const { used } = await rig.balance();
  expect(used).toBeGreaterThan(6000);
  expect(used).toBeLessThan(9000);
});

test.each([
  ['is switched off', { status: 2 }, 'invalid_api_key'],
  ['has run out', { expires_at: 1 }, 'invalid_api_key'],
  ['has lost the model', { model_limits_enabled: 1, model_limits: '["other"]' }, 'model_forbidden'],
  ['may not be used from here any more', { allow_ips: '192.0.2.1' }, 'ip_forbidden'],
])('a key that %s ends its conversation with the answer that is made', async (_, change, code) => {
  const { rig, upstream, call } = await talking();
  call.say({ type: 'response.create' });
  await expect.poll(() => upstream.heard).toEqual(['response.create']);
  await rig.database.writer.updateTable('tokens').set(change).execute();
  rig.relay.invalidateToken(1);
  call.say({ type: 'end' });
  expect((await call.closed)[0]).toBe(1008);
  expect(call.events.at(-1)).toMatchObject({ type: 'error', error: { code } });
  await expect.poll(() => rig.openHolds()).toBe(0);
  expect((await rig.balance()).used).toBe(300);
  await expect(dial(rig)).rejects.toThrow(/^status 40[13]$/);
});
