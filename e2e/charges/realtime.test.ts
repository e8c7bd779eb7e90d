import { describe, expect, test } from 'vitest';
import { transcriptionTokens } from '../../src/server/dialects/openai-audio/transcriptions.ts';
import type { Rig } from '../faults/rig.ts';
import { dial, type RealtimeCall } from '../support/realtime-call.ts';
import { useGateway } from '../faults/use-gateway.ts';

const { start, good } = useGateway();

const OPTIONS = {
  ModelRatio: { 'whisper-live': 2, timed: 1, talk: 1, slow: 1, mute: 1, refused: 1, writes: 1 },
  CompletionRatio: { 'whisper-live': 1, timed: 1, talk: 1, slow: 1, mute: 1, refused: 1 },
};
const MODELS = 'talk,slow,mute,refused,timed';
/** 132 in and 121 out: at ratios of 1 every token is a unit, wherever it is counted. */
const TURN_UNITS = 253;

const ask = (call: RealtimeCall): void => call.say({ type: 'response.create' });
const settledRows = async (rig: Rig, count: number) => {
  await expect.poll(async () => (await rig.logs()).length).toBe(count);
  return rig.logs();
};
const over = (rig: Rig) => expect.poll(() => rig.openHolds()).toBe(0);

describe('a realtime conversation', () => {
  test('is charged answer by answer, as it goes, and the key of the channel stays ours', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig);
    expect(call.socket.protocol).toBe('realtime');
    await call.said('session.created');
    expect(JSON.stringify(call.events[0])).not.toContain('upstreamsecret');
    ask(call);
    await call.said('response.done');
    const [row] = await settledRows(rig, 1);
    expect([row?.quota, row?.type]).toEqual([TURN_UNITS, 2]);
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
      usage: {
        inputTokens: 59,
        cacheReadTokens: 64,
        audioInputTokens: 9,
        outputTokens: 30,
        audioOutputTokens: 91,
      },
      request_path: '/v1/realtime',
    });
    ask(call);
    await call.said('response.done', 2);
    await settledRows(rig, 2);
    call.socket.close();
    await over(rig);
    expect(await rig.balance()).toMatchObject({ used: 2 * TURN_UNITS, calls: 2 });
  });

  test('the transcript of the caller’s words is a row of its own, at the price of the model that transcribed', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig);
    await call.said('session.created');
    call.say({ type: 'input_audio_buffer.commit' });
    await call.said('conversation.item.input_audio_transcription.completed');
    ask(call);
    await call.said('response.done');
    const rows = await settledRows(rig, 2);
    // 13 tokens heard and 9 written, at twice the price of those of the conversation.
    expect(rows.map(({ content, quota }) => [content.slice(0, 13), quota])).toEqual([
      ['model ratio 2', 44],
      ['model ratio 1', TURN_UNITS],
    ]);
    call.socket.close();
    await over(rig);
    expect(await rig.balance()).toMatchObject({ used: TURN_UNITS + 44 });
  });

  test('a transcript costs the operator what the model that transcribed costs', async () => {
    const of = (each: number) => ({
      input: each,
      output: each,
      audio_input: each,
      audio_output: each,
      cache_read: each,
    });
    const cost = { currency: 'USD', models: { spoken: of(1), 'whisper-live': of(3) } };
    const channel = { models: MODELS, modelMapping: '{"talk":"spoken"}', setting: JSON.stringify({ cost }) };
    const rig = await start([good(channel)], OPTIONS);
    const call = await dial(rig);
    await call.said('session.created');
    call.say({ type: 'input_audio_buffer.commit' });
    await call.said('conversation.item.input_audio_transcription.completed');
    ask(call);
    await call.said('response.done');
    const rows = await settledRows(rig, 2);
    // A dollar for a million tokens is 1000 billionths of a dollar each.
    expect(rows.map(({ cost }) => cost)).toEqual([22 * 3000, TURN_UNITS * 1000]);
    expect(rows.map(({ other }) => /"upstream_model_name":"(.*?)"/.exec(other)?.[1])).toEqual([
      undefined,
      'spoken',
    ]);
    call.socket.close();
    await over(rig);
  });

  test('a transcript that is priced by the minute is charged by the minute', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig, { model: 'timed' });
    call.say({ type: 'input_audio_buffer.commit' });
    const [row] = await settledRows(rig, 1);
    expect(row?.quota).toBe(2 * transcriptionTokens(60));
    call.socket.close();
    await over(rig);
  });

  test('never goes past the balance: a turn that cannot be paid is not begun', async () => {
    // A first turn is held at 2048 + 2048 in and 4096 out.
    const rig = await start([good({ models: MODELS })], OPTIONS, 8192 + 100);
    const call = await dial(rig);
    for (let turn = 1; turn <= 30 && call.socket.readyState === WebSocket.OPEN; turn += 1) {
      ask(call);
      await Promise.race([call.said('response.done', turn), call.closed]);
    }
    expect(await call.closed).toEqual([1008, 'insufficient_user_quota']);
    expect(call.events.at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'insufficient_user_quota' },
    });
    await over(rig);
    const { left, used } = await rig.balance();
    expect([left + used, left >= 0]).toEqual([8292, true]);
  });

  test('a transcript is paid from the hold of the next answer, and ends the conversation if too little is left', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS, 8192 + 2 * 44);
    const call = await dial(rig);
    await call.said('session.created');
    for (let time = 1; time <= 4 && call.socket.readyState === WebSocket.OPEN; time += 1) {
      call.say({ type: 'input_audio_buffer.commit' });
      const done = call.said('conversation.item.input_audio_transcription.completed', time);
      await Promise.race([done, call.closed]);
    }
    expect(await call.closed).toEqual([1008, 'insufficient_user_quota']);
    await over(rig);
    expect(await rig.balance()).toMatchObject({ used: 3 * 44, left: 8192 - 44 });
  });

  test('a transcript is charged even if the caller leaves as it arrives', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS, 8192);
    const call = await dial(rig);
    await call.said('session.created');
    call.socket.on('message', () => call.socket.terminate());
    call.say({ type: 'input_audio_buffer.commit' });
    await call.closed;
    await over(rig);
    await expect.poll(() => rig.balance()).toMatchObject({ used: 44, left: 8192 - 44 });
  });

  test('an answer whose caller leaves in the middle is counted', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig, { model: 'slow' });
    ask(call);
    await call.said('response.output_audio_transcript.delta', 4);
    call.socket.terminate();
    const [row] = await settledRows(rig, 1);
    await over(rig);
    // A fifth of a second of sound is about 3 tokens; its transcript adds a few.
    expect(row?.quota).toBeGreaterThan(3);
    expect(row?.quota).toBeLessThan(60);
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ usage: { estimated: true } });
  });

  test('an answer without usage is counted, and the conversation goes on', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig, { model: 'mute' });
    ask(call);
    await call.said('response.done');
    ask(call);
    await call.said('response.done', 2);
    const rows = await settledRows(rig, 2);
    expect(rows.every(({ quota }) => quota > 3)).toBe(true);
    call.socket.close();
    await over(rig);
  });

  test('answers that are asked for at once are each held first: those that cannot be paid are not asked for', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS, 8192 + 100);
    const call = await dial(rig, { model: 'slow' });
    ask(call);
    // The same with escaped letters, and as a binary message.
    call.socket.send(String.raw`{"type":"response\u002ecreate","response":{"conversation":"none"}}`);
    call.socket.send(Buffer.from(JSON.stringify({ type: 'response.create' })), { binary: true });
    await call.said('error', 2);
    // The first answer has begun by then or begins soon. It never ends, so its hold leaves nothing for the others.
    await call.said('response.output_audio_transcript.delta', 4);
    expect(call.events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
    const errors = call.events.filter(({ type }) => type === 'error');
    expect(errors.map(({ error }) => error?.code)).toEqual([
      'insufficient_user_quota',
      'insufficient_user_quota',
    ]);
    expect(call.socket.readyState).toBe(WebSocket.OPEN);
    call.socket.close();
    await over(rig);
    const { left, used } = await rig.balance();
    expect([left + used, left >= 0]).toEqual([8292, true]);
  });

  test('several answers at once are made where they can be paid, in order, and each is charged', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig);
    for (let times = 0; times < 4; times += 1) ask(call);
    await call.said('response.done', 4);
    await settledRows(rig, 4);
    call.socket.close();
    await over(rig);
    expect(await rig.balance()).toMatchObject({ used: 4 * TURN_UNITS, calls: 4 });
  });

  test('a conversation without a word costs nothing and leaves no row', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig);
    call.socket.close();
    await over(rig);
    expect([(await rig.balance()).used, (await rig.logs()).length]).toEqual([0, 0]);
  });

  test('a browser puts its key among the protocols', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig, { protocols: ['realtime', `openai-insecure-api-key.${rig.key}`], key: '' });
    await call.said('session.created');
    expect(call.socket.protocol).toBe('realtime');
    call.socket.close();
    await over(rig);
  });

  test('two different keys in one call are refused: nobody knows which of them should pay', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const inProtocols = (key: string): string => `openai-insecure-api-key.${key}`;
    const own = inProtocols(rig.key);
    await expect(dial(rig, { protocols: ['realtime', own], key: 'sk-another' })).rejects.toThrow(
      'status 400',
    );
    await expect(
      dial(rig, { protocols: ['realtime', own, inProtocols('sk-another')], key: '' }),
    ).rejects.toThrow('status 400');
    const call = await dial(rig, { protocols: ['realtime', own] });
    await call.said('session.created');
    call.socket.close();
    await over(rig);
  });

  test.each([
    ['a wrong key', 'talk', 'sk-wrong', 401],
    ['a model nobody has', 'nothing', undefined, 404],
    ['a model whose channels have no such calls', 'writes', undefined, 501],
    ['no model', '', undefined, 400],
    ['an upstream that refuses', 'refused', undefined, 502],
  ])('%s is refused before it opens: %s', async (_, model, key, status) => {
    const rig = await start([good({ models: MODELS }), good({ type: 14, models: 'writes' })], OPTIONS);
    await expect(dial(rig, { model, key: key ?? rig.key })).rejects.toThrow(`status ${status}`);
    await over(rig);
    expect((await rig.balance()).used).toBe(0);
  });

  test('when the server stops, both sides are told and nothing stays held', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const call = await dial(rig);
    await call.said('session.created');
    await rig.stopTaking(1000);
    expect((await call.closed)[0]).toBe(1001);
    await over(rig);
  });
});
