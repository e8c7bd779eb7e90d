import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { openaiRealtime } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Held } from '../stages.ts';
import { maskingOf } from '../answer/mask.ts';
import { heldCall } from '../testing/answered-call.ts';
import { Context } from './context.ts';
import { Conversation } from './conversation.ts';
import type { ConversationDeps } from './conversation-deps.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake end of a conversation that records what was done to it. */
const end = (isThere: boolean) => {
  const done: string[] = [];
  const sent: string[] = [];
  const socket: MessageSocket = {
    waitingBytes: 0,
    isPaused: false,
    onMessage: undefined,
    onSent: undefined,
    onClose: undefined,
    onPong: undefined,
    send: (data) => void sent.push(data.toString()),
    pause: () => undefined,
    resume: () => undefined,
    close: (code) => void done.push(`close ${String(code)}`),
    cut: () => void done.push('cut'),
    ping: () => {
      if (isThere) socket.onPong?.();
    },
  };
  return { socket, done, sent };
};

const turn = heldCall(openaiRealtime);

const converse = (
  caller: MessageSocket,
  upstream: MessageSocket,
  check: ConversationDeps['check'] = (_, said) => said,
) => {
  const settled: Held[] = [];
  /** What each said, when it was settled. */
  const told: (number | undefined)[] = [];
  const conversation = new Conversation(
    {
      masking: maskingOf(new Secrets(['sk-1'])),
      settle: async (one) => {
        settled.push(one);
        told.push(one.live.meter.reported?.outputTokens);
      },
      next: async () => turn,
      grow: async () => undefined,
      charge: async () => true,
      check,
      isOutdated: () => false,
      save: () => undefined,
      writeError: ({ code, message }) => ({ code, message }),
    },
    caller,
    upstream,
    new Context(),
    turn,
  );
  return { conversation, settled, told };
};

test.each([
  ['a caller', false, true],
  ['an upstream', true, false],
])('%s whose connection is lost without a word is given up, and its hold closed', async (_, ...isThere) => {
  const [caller, upstream] = [end(isThere[0]), end(isThere[1])];
  const { conversation, settled } = converse(caller.socket, upstream.socket);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(settled).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  await conversation.ended;
  expect(settled).toEqual([turn]);
  expect([caller.done.includes('cut'), upstream.done.includes('cut')]).toEqual(isThere.map((is) => !is));
});

test('a conversation in which nobody speaks for an hour goes on where both are there', async () => {
  const [caller, upstream] = [end(true), end(true)];
  const { settled } = converse(caller.socket, upstream.socket);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([settled, caller.done, upstream.done]).toEqual([[], [], []]);
});

test('an upstream that is not read because its caller is slow is not taken for lost', async () => {
  const [caller, upstream] = [end(true), end(false)];
  let isPaused = true;
  const { settled } = converse(
    caller.socket,
    Object.defineProperty(upstream.socket, 'isPaused', { get: () => isPaused }),
  );
  await vi.advanceTimersByTimeAsync(600_000);
  expect([settled, upstream.done]).toEqual([[], []]);
  isPaused = false;
  await vi.advanceTimersByTimeAsync(160_000);
  expect(upstream.done).toContain('cut');
});

test('a caller who does not read its refusals is not read from until it does', () => {
  const refusals = Array.from({ length: 3 }, () => Buffer.from('{"type":"response.create"}'));
  const { socket } = end(true);
  let waitingBytes = 0;
  let isHeard = false;
  const caller = Object.defineProperties(socket, {
    waitingBytes: { get: () => waitingBytes },
    send: { value: () => void (waitingBytes += 600 * 1024) },
    pause: { value: () => void (isHeard = false) },
    resume: { value: () => void (isHeard = true) },
  });
  converse(caller, end(true).socket, () => {
    throw new AppError('invalid_request', 'not that word');
  });
  const heard = refusals.map((message) => {
    caller.onMessage?.(message, false);
    return isHeard;
  });
  expect(heard).toEqual([true, false, false]);
  waitingBytes = 600 * 1024;
  caller.onSent?.();
  expect(isHeard).toBe(false);
  waitingBytes = 0;
  caller.onSent?.();
  expect(isHeard).toBe(true);
});

const FINE = '{"type":"session.update","session":{"instructions":"be kind"}}';

test.each([
  [
    'too many values',
    `{"type":"session.update","more":[${'0,'.repeat(2_000_001)}0]}`,
    'holds too many values',
  ],
  ['10,001 values', `{"type":"session.update","more":[${'0,'.repeat(10_001)}0]}`, '10000 are the most'],
  ['300 levels', `{"a":${'['.repeat(300)}"${'x'.repeat(20_000)}"${']'.repeat(300)}}`, 'nests deeper'],
  ['70 levels', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 'nests deeper'],
  [
    '5 MB that are no sound',
    `{"type":"session.update","a":"${'x'.repeat(5_000_000)}"}`,
    'larger than 4 MiB and not a piece of sound',
  ],
])('a message with %s is refused, and the conversation goes on', (_, message, why) => {
  const [caller, upstream] = [end(true), end(true)];
  converse(caller.socket, upstream.socket);
  caller.socket.onMessage?.(Buffer.from(message), false);
  caller.socket.onMessage?.(Buffer.from(FINE), false);
  expect(caller.sent).toEqual([expect.stringContaining(why)]);
  expect(caller.sent[0]).toContain('"code":"invalid_request"');
  expect(upstream.sent).toEqual([FINE]);
});

test('a piece of sound may be as large as the makers take, and what follows it comes after it', async () => {
  vi.useRealTimers();
  const [caller, upstream] = [end(true), end(true)];
  converse(caller.socket, upstream.socket);
  const sound = `{"type":"input_audio_buffer.append","audio":"${'A'.repeat(15 * 1024 * 1024)}"}`;
  caller.socket.onMessage?.(Buffer.from(sound), false);
  caller.socket.onMessage?.(Buffer.from(FINE), false);
  await expect.poll(() => upstream.sent.map(({ length }) => length)).toEqual([sound.length, FINE.length]);
  expect(caller.sent).toEqual([]);
});

test.each([
  ['of 9 MB', `{"type":"session.updated","a":"${'x'.repeat(9_000_000)}"}`],
  ['of 100,001 values', `{"type":"response.done","a":[${'0,'.repeat(100_001)}0]}`],
  ['of 600,000 values', `{"more":[${'0,'.repeat(600_000)}0],"type":"response.done"}`],
])(
  'an upstream whose message %s cannot be read in time ends the conversation with an error',
  async (_, message) => {
    const [caller, upstream] = [end(true), end(true)];
    const { conversation, settled } = converse(caller.socket, upstream.socket);
    upstream.socket.onMessage?.(Buffer.from(message), false);
    await conversation.ended;
    expect(caller.sent).toEqual([expect.stringContaining('too large to be read')]);
    expect([caller.done, upstream.done]).toEqual([['close 1011'], ['close 1000']]);
    expect(settled).toEqual([turn]);
  },
);

test('what a caller says is checked with the name that the upstream gives its model, whatever later sessions lack', () => {
  const [caller, upstream] = [end(true), end(true)];
  const named: unknown[] = [];
  converse(caller.socket, upstream.socket, (_, said, model) => {
    named.push(model);
    return said;
  });
  const saying = (message: object): void =>
    upstream.socket.onMessage?.(Buffer.from(JSON.stringify(message)), false);
  caller.socket.onMessage?.(Buffer.from(FINE), false);
  saying({ type: 'session.created', session: { model: 'talk-2026-08-28' } });
  saying({ type: 'session.updated', session: {} });
  caller.socket.onMessage?.(Buffer.from(FINE), false);
  expect(named).toEqual([undefined, 'talk-2026-08-28']);
});

test('of answers that run side by side, each is counted by what it says itself', async () => {
  const upstream = end(true);
  const { told } = converse(end(true).socket, upstream.socket);
  const hear = (type: string, more: object): void =>
    upstream.socket.onMessage?.(Buffer.from(JSON.stringify({ type: `response.${type}`, ...more })), false);
  const say = (response_id: string, letters: number): void => {
    hear('output_text.delta', { event_id: 'e', response_id, delta: '' });
    hear('output_text.done', { event_id: 'e', response_id, text: 'x'.repeat(letters) });
  };
  const usage = { input_tokens: 5, output_tokens: 7, total_tokens: 12 };
  for (const id of ['one', 'two', 'three']) hear('created', { response: { id } });
  say('one', 4000);
  say('two', 400);
  say('three', 40_000);
  // The first tells its usage, and takes nothing of what the others have said.
  hear('done', { response: { id: 'one', usage } });
  hear('done', { response: { id: 'two' } });
  await vi.advanceTimersByTimeAsync(10);
  expect(told.slice(-2)).toEqual([7, 100]);
  upstream.socket.onClose?.(1000, '');
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toContain(10_000);
});
