import { expect, test } from 'vitest';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import { wholeBody } from './whole-body.ts';

const MIB = 1024 * 1024;

test('a body of unknown length is put together in room that is taken before it is used', async () => {
  const room = new SharedRoom(64 * MIB);
  const share = new RoomShare(room, 1, 'a');
  const bytes = Buffer.alloc(300_000, 'what is said ');
  async function* singly(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 7) {
      expect(room.heldBytes).toBeGreaterThanOrEqual(at);
      yield bytes.subarray(at, at + 7);
    }
  }
  expect((await wholeBody(singly(), share, undefined)).equals(bytes)).toBe(true);
  expect(room.heldBytes).toBe(512 * 1024);
  share.release();
  expect(room.owners).toBe(0);
});
