import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MessageSocket } from '#core/message-socket.ts';
import { Secrets } from '#core/secrets.ts';
import { Secret } from '#core/secret.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { openaiRealtime } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Running } from '../running.ts';
import { newMeter } from '../meter.ts';
import { Context } from './context.ts';
import { Conversation } from './conversation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One end of a conversation, and what was done to it. */
const end = (isThere: boolean) => {
  const done: string[] = [];
  const socket: MessageSocket = {
    waitingBytes: 0,
    onMessage: undefined,
    onSent: undefined,
    onClose: undefined,
    onPong: undefined,
    send: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    close: (code) => void done.push(`close ${String(code)}`),
    cut: () => void done.push('cut'),
    ping: () => {
      if (isThere) socket.onPong?.();
    },
  };
  return { socket, done };
};

const turn = {
  meter: newMeter(),
  secrets: new Secrets(['sk-1']),
  channel: channelOf(1, { key: new Secret('sk-1') }),
  wire: openaiRealtime,
} as unknown as Running;

const converse = (caller: MessageSocket, upstream: MessageSocket) => {
  const settled: Running[] = [];
  const conversation = new Conversation(
    {
      settle: async (one) => void settled.push(one),
      next: async () => turn,
      charge: async () => undefined,
      check: () => undefined,
      writeError: () => ({}),
    },
    caller,
    upstream,
    new Context(),
    turn,
  );
  return { conversation, settled };
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
