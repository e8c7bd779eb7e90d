import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { RoomShare, SharedRoom } from '#core/shared-room.ts';
import { countArriving } from './arriving.ts';

const KB = 1024;

const arrive = (maxBytes: number) => {
  const socket = new PassThrough();
  const closes: number[] = [];
  const raw = Object.assign(new EventEmitter(), { close: (code: number) => void closes.push(code) });
  const room = new SharedRoom(maxBytes);
  countArriving(socket, raw, new RoomShare(room, 1, 'here'));
  return { socket, raw, room, closes, come: (bytes: number) => socket.emit('data', Buffer.alloc(bytes)) };
};

describe('a message that is not whole yet', () => {
  test('takes room for what has come of it, and gives it back when it is whole or lost', () => {
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
    expect(closes).toEqual([1013]);
  });
});
