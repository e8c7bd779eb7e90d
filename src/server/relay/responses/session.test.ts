import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import { standIn } from '#core/testing/stand-in.ts';
import type { RelayCall, ResponsesCall } from '../calls.ts';
import { Histories } from './histories.ts';
import { Session } from './session.ts';

/** What only a clock or a slow reader shows of a connection. */

const HOUR_MS = 60 * 60_000;

const socketOf = () => {
  const sent: Record<string, unknown>[] = [];
  const closed: number[] = [];
  const state = { waitingBytes: 0, isPaused: true, pings: 0, isCut: false };
  const socket: MessageSocket = {
    send: (data) => void sent.push(JSON.parse(data.toString()) as Record<string, unknown>),
    get waitingBytes() {
      return state.waitingBytes;
    },
    get isPaused() {
      return state.isPaused;
    },
    pause: () => void (state.isPaused = true),
    resume: () => void (state.isPaused = false),
    close(code) {
      closed.push(code);
      socket.onClose?.(code, '');
    },
    ping: () => void (state.pings += 1),
    cut() {
      state.isCut = true;
      socket.onClose?.(1006, '');
    },
    onPong: undefined,
    onMessage: undefined,
    onSent: undefined,
    onClose: undefined,
  };
  return { socket, sent, closed, state };
};

let calls: RelayCall[];
let finish: (() => void)[];
let room: SharedRoom;

const open = () => {
  const ends = socketOf();
  room = new SharedRoom(1_000_000);
  const call = standIn<ResponsesCall>({
    common: standIn<ResponsesCall['common']>({
      requestId: 'connection',
      readForm: () => Promise.reject(new AppError('invalid_request', '')),
    }),
    address: 'here',
    nextRequestId: () => `call-${String(calls.length + 1)}`,
    roomFor: (userId) => new RoomShare(room, userId, 'here'),
  });
  const deps = {
    serve: async (one: RelayCall) => {
      calls.push(one);
      await one.readBody(1).catch(() => undefined);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (!one.reply.gone) {
        one.reply.start(503, {});
        one.reply.end(Buffer.from('{"error":{"code":"no_channel"}}'));
      }
    },
    authenticate: () => Promise.resolve(),
    isKept: () => Promise.resolve(false),
    histories: new Histories(),
    userId: 1,
    newResponseId: () => 'resp_1',
    nowMs: () => 1,
  };
  return { session: new Session(deps, call, ends.socket), ...ends };
};

const ask = ({ socket }: { socket: MessageSocket }, more: object = {}): void =>
  socket.onMessage?.(Buffer.from(JSON.stringify({ type: 'response.create', input: 'hi', ...more })), false);

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  finish = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('after an hour', () => {
  test('an idle connection is closed with the error that clients know', async () => {
    const end = open();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(end.closed).toEqual([]);
    for (let pong = 0; pong < 119; pong += 1) {
      end.socket.onPong?.();
      await vi.advanceTimersByTimeAsync(30_000);
    }
    await vi.advanceTimersByTimeAsync(HOUR_MS - 25_000 - 119 * 30_000);
    expect(end.sent).toMatchObject([
      { type: 'error', status: 400, error: { code: 'websocket_connection_limit_reached' } },
    ]);
    expect(end.closed).toEqual([1000]);
    await end.session.ended;
  });

  test('a running response ends first, and no other begins', async () => {
    const end = open();
    ask(end);
    for (let time = 0; time < 121; time += 1) {
      end.socket.onPong?.();
      await vi.advanceTimersByTimeAsync(30_000);
    }
    expect(end.closed).toEqual([]);
    ask(end);
    expect(end.sent).toMatchObject([{ error: { code: 'websocket_connection_limit_reached' } }]);
    finish[0]?.();
    await end.session.ended;
    expect(calls).toHaveLength(1);
    expect(end.closed).toEqual([1000]);
  });
});

describe('a connection', () => {
  test('that answers no pings is cut, and its calls are told', async () => {
    const end = open();
    ask(end);
    let isTold = false;
    await vi.advanceTimersByTimeAsync(0);
    const { reply } = calls[0] ?? {};
    if (reply === undefined) throw new Error('a call was made');
    reply.onGone = () => (isTold = true);
    await vi.advanceTimersByTimeAsync(130_000);
    expect(end.state.isCut).toBe(true);
    expect(isTold).toBe(true);
    finish[0]?.();
    await end.session.ended;
    expect(room.heldBytes).toBe(0);
  });

  test('of a server that stops ends after what runs, and is told that it may come again', async () => {
    const end = open();
    ask(end);
    await vi.advanceTimersByTimeAsync(0);
    end.session.stop();
    expect(end.closed).toEqual([]);
    finish[0]?.();
    await end.session.ended;
    expect(end.closed).toEqual([1001]);
    expect(end.sent.at(-1)).toMatchObject({ status: 503, headers: { 'x-should-retry': 'true' } });
  });

  test('is not read while its own errors wait to be read', () => {
    const end = open();
    end.state.waitingBytes = 2 * 1024 * 1024;
    ask(end, { type: 'nonsense' });
    expect(end.state.isPaused).toBe(true);
    end.state.waitingBytes = 0;
    end.socket.onSent?.();
    expect(end.state.isPaused).toBe(false);
  });

  test('lets sixty-four turns wait, and refuses the next', () => {
    const end = open();
    for (let turn = 0; turn < 65; turn += 1) ask(end);
    expect(end.sent).toEqual([]);
    ask(end);
    expect(end.sent).toMatchObject([{ status: 429, error: { code: 'websocket_queue_limit_reached' } }]);
    expect(calls).toHaveLength(0);
  });

  test('runs sixteen lanes at once, and counts the memory of waiting messages', async () => {
    const end = open();
    for (let lane = 0; lane < 20; lane += 1) ask(end, { stream_id: `lane-${String(lane)}` });
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(16);
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(17);
    expect(room.heldBytes).toBeGreaterThan(0);
    end.socket.onClose?.(1000, '');
    for (const one of finish) one();
    await end.session.ended;
    expect(room.heldBytes).toBe(0);
  });

  test('refuses messages that exceed the memory, and goes on', () => {
    const end = open();
    ask(end, { input: 'x'.repeat(600_000) });
    expect(end.sent).toMatchObject([{ status: 429, error: { code: 'rate_limited' } }]);
    expect(end.closed).toEqual([]);
  });
});
