import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import { countArriving } from './arriving.ts';

const KB = 1024;

const arrive = (maxBytes: number) => {
  const socket = new PassThrough();
  const closes: (number | string)[] = [];
  const raw = Object.assign(new EventEmitter(), {
    close: (code: number) => void closes.push(code),
    pause: () => void closes.push('paused'),
    terminate: () => void closes.push('cut'),
  });
  const room = new SharedRoom(maxBytes);
  countArriving(socket, raw, new RoomShare(room, 1, 'here'));
  return { socket, raw, room, closes, come: (bytes: number) => socket.emit('data', Buffer.alloc(bytes)) };
};

describe('a message that is still arriving', () => {
  test('takes room for what has arrived, and gives it back when it is complete or lost', () => {
    const { come, raw, room } = arrive(10_000 * KB);
    come(60 * KB);
    expect(room.heldBytes).toBe(0);
    come(60 * KB);
    come(60 * KB);
    expect(room.heldBytes).toBe(116 * KB);
    raw.emit('message');
    expect(room.heldBytes).toBe(0);
    come(164 * KB);
    expect(room.heldBytes).toBe(100 * KB);
    raw.emit('close');
    expect(room.heldBytes).toBe(0);
  });

  test('ends its connection where there is no room for it', () => {
    const { come, closes } = arrive(200 * KB);
    come(100 * KB);
    expect(closes).toEqual([]);
    come(100 * KB);
    expect(closes).toEqual([1013, 'paused']);
  });

  test('is read no further once it found no room, and cut off if its sender does not close', () => {
    vi.useFakeTimers();
    try {
      const { come, closes, room } = arrive(200 * KB);
      for (let n = 0; n < 5; n += 1) come(100 * KB);
      expect(room.heldBytes).toBe(36 * KB);
      expect(closes.filter((what) => what === 1013)).toHaveLength(1);
      expect(closes).not.toContain('cut');
      vi.advanceTimersByTime(1000);
      expect(closes.at(-1)).toBe('cut');
    } finally {
      vi.useRealTimers();
    }
  });
});
