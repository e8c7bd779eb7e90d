import { expect, test } from 'vitest';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { maskedInTurns } from './masked-in-turns.ts';

const KEY = 'sk-live-0123456789abcdef';

/** An upstream's socket by hand, what was done to it, and what is told of it. */
const upstream = () => {
  const done: string[] = [];
  const told: string[] = [];
  const socket: MessageSocket = {
    waitingBytes: 7,
    isPaused: false,
    onMessage: undefined,
    onSent: undefined,
    onClose: undefined,
    onPong: undefined,
    send: (data) => void done.push(`send ${data.toString()}`),
    pause: () => void done.push('pause'),
    resume: () => void done.push('resume'),
    close: (code) => void done.push(`close ${String(code)}`),
    cut: () => void done.push('cut'),
    ping: () => void done.push('ping'),
  };
  const shown = maskedInTurns(socket, new Secrets([KEY]));
  shown.onMessage = (data) => {
    const text = data.toString();
    told.push(
      text.length > 100 ? `${String(text.length)} with ${/[*]+|sk-[\w-]+/.exec(text)?.[0] ?? 'none'}` : text,
    );
  };
  shown.onClose = (code) => told.push(`close ${String(code)}`);
  return { socket, shown, done, told };
};

const long = (text: string): Buffer => Buffer.from(`"${'x'.repeat(1024 * 1024)} ${text}"`);

test('a long message is masked before it is passed on, and later messages follow after it', async () => {
  const { socket, told, done } = upstream();
  const first = long(KEY);
  socket.onMessage?.(Buffer.from('before'), false);
  socket.onMessage?.(first, false);
  socket.onMessage?.(Buffer.from('behind'), false);
  socket.onMessage?.(long(''), false);
  socket.onClose?.(1000, '');
  expect(told).toEqual(['before']);
  expect(done).toEqual(['pause']);
  await expect.poll(() => told.length).toBe(5);
  const masked = `${String(first.length)} with ${'*'.repeat(KEY.length)}`;
  expect(told).toEqual(['before', masked, 'behind', expect.stringContaining('with none'), 'close 1000']);
});

test('the socket is read on only when its reader and the masking both want more', async () => {
  const { socket, shown, done, told } = upstream();
  socket.onMessage?.(long(KEY), false);
  shown.pause();
  await expect.poll(() => told.length).toBe(1);
  expect(done).toEqual(['pause', 'pause']);
  shown.resume();
  expect(done.at(-1)).toBe('resume');
  socket.onMessage?.(long(KEY), false);
  shown.resume();
  expect(done.at(-1)).toBe('pause');
  await expect.poll(() => done.at(-1)).toBe('resume');
});

test('all else goes to the socket as it is', () => {
  const { socket, shown, done } = upstream();
  const heard: string[] = [];
  shown.onPong = () => heard.push('pong');
  shown.onSent = () => heard.push('sent');
  socket.onPong?.();
  socket.onSent?.();
  shown.send(Buffer.from('a'), false);
  shown.ping();
  shown.close(1000, '');
  shown.cut();
  expect([heard, done, shown.waitingBytes]).toEqual([
    ['pong', 'sent'],
    ['send a', 'ping', 'close 1000', 'cut'],
    7,
  ]);
});
