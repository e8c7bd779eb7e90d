import { expect, test } from 'vitest';
import { AnswerRoom } from './answer-room.ts';

const MIB = 1024 * 1024;
const ALICE = { userId: 1, ip: '10.0.0.1' };
const BOB = { userId: 2, ip: '10.0.0.2' };

async function* bodyOf(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB));
}

const codeOf = (reading: unknown): Promise<unknown> =>
  Promise.resolve(reading).then(
    () => 'read',
    (thrown: unknown) => (thrown as { code?: unknown }).code,
  );

test('whole answers count until their calls are over, short ones not at all', async () => {
  const room = new AnswerRoom(100 * MIB);
  const [long, short] = [room.open(ALICE), room.open(BOB)];
  await long.read(bodyOf(10 * MIB));
  await short.read(bodyOf(60_000));
  expect(room.heldBytes).toBe(10 * MIB);
  long.release();
  short.release();
  expect(room.heldBytes).toBe(0);
});

test('an answer that finds no room waits, and is read on when another call is over', async () => {
  const room = new AnswerRoom(10 * MIB, 60_000);
  const [first, second] = [room.open(ALICE), room.open(ALICE)];
  await first.read(bodyOf(4 * MIB));
  const reading = second.read(bodyOf(4 * MIB));
  await expect.poll(() => room.waiting).toBe(1);
  first.release();
  expect(Buffer.concat(await reading)).toHaveLength(4 * MIB);
  expect([room.waiting, room.heldBytes]).toEqual([0, 4 * MIB]);
});

test('answers that wait for each other are refused after a time, and may be retried', async () => {
  const room = new AnswerRoom(10 * MIB, 50);
  const shares = [ALICE, BOB].map((owner) => room.open(owner));
  const outcomes = await Promise.all(
    shares.map(async (share) => {
      const outcome = await codeOf(share.read(bodyOf(9 * MIB)));
      expect(room.heldBytes).toBeLessThanOrEqual(10 * MIB);
      share.release();
      return outcome;
    }),
  );
  expect(outcomes).toContain('unavailable');
  expect([room.waiting, room.heldBytes]).toEqual([0, 0]);
});

test('no single caller can fill the room: the next one still finds some', async () => {
  const room = new AnswerRoom(10 * MIB, 50);
  const [one, other] = [room.open(ALICE), room.open(ALICE)];
  await one.read(bodyOf(5 * MIB));
  expect(await codeOf(other.read(bodyOf(MIB)))).toBe('unavailable');
  expect(await codeOf(room.open(BOB).read(bodyOf(2 * MIB)))).toBe('read');
});

test('a call that has ended takes no room, even if it was waiting for some', async () => {
  const room = new AnswerRoom(10 * MIB, 60_000);
  const [first, second, third] = [room.open(ALICE), room.open(ALICE), room.open(ALICE)];
  await first.read(bodyOf(5 * MIB));
  const reading = codeOf(second.read(bodyOf(5 * MIB)));
  await expect.poll(() => room.waiting).toBe(1);
  second.release();
  first.release();
  expect(await reading).toBe('unavailable');
  third.release();
  expect(await codeOf(third.read(bodyOf(MIB)))).toBe('unavailable');
  expect([room.waiting, room.heldBytes]).toEqual([0, 0]);
});

test('an answer with no time left to wait is refused at once, even if room is given back right after', async () => {
  const room = new AnswerRoom(10 * MIB, 0);
  const [first, second] = [room.open(ALICE), room.open(ALICE)];
  await first.read(bodyOf(5 * MIB));
  const reading = codeOf(second.read(bodyOf(MIB)));
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(room.waiting).toBe(0);
  first.release();
  expect(await reading).toBe('unavailable');
});

test('one answer may have 64 MiB', async () => {
  const room = new AnswerRoom();
  expect(await codeOf(room.open(ALICE).read(bodyOf(64 * MIB)))).toBe('read');
  expect(await codeOf(room.open(BOB).read(bodyOf(64 * MIB + 1)))).toBe('upstream_failed');
});
