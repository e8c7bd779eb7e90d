import { open } from 'node:fs/promises';
import { devNull } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BodyBudget, SpooledBody } from './spooled-body.ts';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';

const KIB = 1024;

const rooms = () => ({ memory: new SharedRoom(4096 * KIB), disk: new SharedRoom(8192 * KIB) });
const sharesOf = ({ memory, disk }: ReturnType<typeof rooms>): BodyBudget => ({
  memory: new RoomShare(memory, 1, 'an address'),
  disk: new RoomShare(disk, 1, 'an address'),
});

/** Bytes whose value depends on their position. */
const counted = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
};

const fill = async (body: SpooledBody, bytes: Buffer, pieceBytes: number): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await body.append(bytes.subarray(at, at + pieceBytes));
};

const noFile = (): Promise<never> => Promise.reject(new Error('read-only'));

describe('a body that is spooled', () => {
  test.each([
    ['small', 100 * KIB, undefined],
    ['in a file', 900 * KIB, undefined],
    ['where no file can be made', 900 * KIB, noFile],
  ])('%s gives any stretch of itself, any number of times', async (_, length, openFile) => {
    const bytes = counted(length);
    const body = new SpooledBody(sharesOf(rooms()), undefined, openFile);
    await fill(body, bytes, 50_001);
    expect(body.length).toBe(length);
    const stretch = fc.tuple(fc.nat({ max: length }), fc.nat({ max: length }));
    await fc.assert(
      fc.asyncProperty(stretch, async ([one, other]) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        const read = Buffer.concat(await Array.fromAsync(body.read(start, end)));
        expect(read.equals(bytes.subarray(start, end))).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect((await body.load(3, length - 3)).equals(bytes.subarray(3, -3))).toBe(true);
    body.release();
  });

  test('is counted where it is, on disk or in memory, and not at all in the end', async () => {
    const given = rooms();
    const counts = (): number[] => [given.memory.heldBytes, given.disk.heldBytes];
    const body = new SpooledBody(sharesOf(given));
    await fill(body, counted(128 * KIB), 64 * KIB);
    expect(counts()).toEqual([128 * KIB, 0]);
    await fill(body, counted(512 * KIB), 64 * KIB);
    expect(counts()).toEqual([0, 640 * KIB]);
    await body.load(0, 100);
    expect(counts()).toEqual([100, 640 * KIB]);
    body.release();
    expect(counts()).toEqual([0, 0]);
  });

  test('sent byte by byte takes hardly more memory than its length', async () => {
    const given = rooms();
    const body = new SpooledBody(sharesOf(given), undefined, noFile);
    const bytes = counted(60 * KIB);
    await fill(body, bytes, 1);
    expect(given.memory.heldBytes).toBe(64 * KIB);
    expect(Buffer.concat(await Array.fromAsync(body.read(0, bytes.length)))).toEqual(bytes);
    body.release();
    expect(given.memory.owners).toBe(0);
  });

  test('whose call ends while its file is being made leaves neither file nor count behind', async () => {
    const given = rooms();
    const asked = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const file = await open(devNull, 'w');
    const openFile = async () => {
      asked.resolve();
      await opened.promise;
      return file;
    };
    const body = new SpooledBody(sharesOf(given), undefined, openFile);
    const filling = fill(body, counted(512 * KIB), 64 * KIB);
    await asked.promise;
    body.release();
    opened.resolve();
    await expect(filling).rejects.toMatchObject({ code: 'client_closed' });
    // A closed file has no descriptor.
    expect([file.fd, given.memory.owners, given.disk.owners]).toEqual([-1, 0, 0]);
  });

  test('is refused with "try again" where there is no room, and gives back what it had', async () => {
    const given = rooms();
    new RoomShare(given.memory, 2, 'another address').take(2048 * KIB);
    new RoomShare(given.memory, 3, 'a third address').take(1024 * KIB);
    const body = new SpooledBody(sharesOf(given), undefined, noFile);
    await expect(fill(body, counted(2048 * KIB), 64 * KIB)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 2,
    });
    body.release();
    expect(given.memory.heldBytes).toBe(3072 * KIB);
  });
});
