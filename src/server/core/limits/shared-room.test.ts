import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RoomShare, SharedRoom } from './shared-room.ts';

const MIB = 1024 * 1024;
const codeOf = (work: () => void): unknown => {
  try {
    work();
  } catch (thrown) {
    return (thrown as { code?: unknown }).code;
  }
  return 'taken';
};

test('one caller gets at most half of the room, so that the next finds some', () => {
  const room = new SharedRoom(256 * MIB);
  const takeAll = (user: number, address: string): number => {
    let taken = 0;
    while (codeOf(() => room.take(MIB, user, address)) === 'taken') taken += 1;
    return taken;
  };
  expect(takeAll(1, 'here')).toBe(128);
  // The same key from another address gets no more.
  expect(codeOf(() => room.take(MIB, 1, 'here'))).toBe('rate_limited');
  expect(takeAll(1, 'there')).toBe(0);
  // Another account of the same address gets some; together they get three quarters.
  expect(takeAll(2, 'here')).toBe(64);
  expect(takeAll(5, 'here')).toBe(0);
  expect(takeAll(3, 'elsewhere')).toBe(32);
  for (let user = 6; user < 40; user += 1) takeAll(user, `address ${String(user)}`);
  expect(codeOf(() => room.take(512 * 1024, 99, 'a newcomer'))).toBe('taken');
  expect(codeOf(() => room.take(300 * MIB, 98, 'somebody'))).toBe('unavailable');
});

test('whatever is taken and given back, the bound holds, and in the end nothing is left', () => {
  const step = fc.record({
    call: fc.nat(11),
    user: fc.nat(3),
    address: fc.constantFrom('a', 'b'),
    isAnonymous: fc.boolean(),
    bytes: fc.integer({ min: 0, max: 700 }),
    isEnd: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const room = new SharedRoom(1000);
      const shares = new Map<number, RoomShare>();
      for (const { call, user, address, isAnonymous, bytes, isEnd } of steps) {
        const share = shares.get(call) ?? new RoomShare(room, isAnonymous ? address : user, address);
        shares.set(call, share);
        if (isEnd) share.release();
        else codeOf(() => share.take(bytes));
        expect(room.heldBytes).toBeLessThanOrEqual(1000);
        expect(room.heldBytes).toBe([...shares.values()].reduce((sum, one) => sum + one.heldBytes, 0));
      }
      for (const share of shares.values()) share.release();
      expect([room.heldBytes, room.owners]).toEqual([0, 0]);
    }),
    { numRuns: 200 },
  );
});

test('a request that has ended takes no room', () => {
  const room = new SharedRoom(1000);
  const share = new RoomShare(room, 1, 'a');
  share.release();
  expect(codeOf(() => share.take(1))).toBe('client_closed');
  expect(room.heldBytes).toBe(0);
});
