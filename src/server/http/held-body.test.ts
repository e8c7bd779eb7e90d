import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeldBody } from './held-body.ts';
import { RelayBodies } from './relay-body.ts';

const KIB = 1024;

/** Bytes that tell where they are. */
const counted = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
};

const fill = async (body: HeldBody, bytes: Buffer, pieceBytes: number): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await body.append(bytes.subarray(at, at + pieceBytes));
};

const noFile = (): Promise<never> => Promise.reject(new Error('read-only'));

describe('a body that is held', () => {
  test.each([
    ['small', 100 * KIB, undefined],
    ['in a file', 900 * KIB, undefined],
    ['where no file can be made', 900 * KIB, noFile],
  ])('%s gives any stretch of itself, any number of times', async (_, length, openFile) => {
    const bytes = counted(length);
    const body = new HeldBody(new RelayBodies(), undefined, openFile);
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

  test('counts as on disk where it is, as in memory where that is, and as nothing in the end', async () => {
    const bodies = new RelayBodies();
    const counts = (): number[] => [bodies.heldBytes, bodies.onDiskBytes];
    const body = new HeldBody(bodies);
    await fill(body, counted(128 * KIB), 64 * KIB);
    expect(counts()).toEqual([128 * KIB, 0]);
    await fill(body, counted(512 * KIB), 64 * KIB);
    expect(counts()).toEqual([0, 640 * KIB]);
    await body.load(0, 100);
    expect(counts()).toEqual([100, 640 * KIB]);
    body.release();
    expect(counts()).toEqual([0, 0]);
  });

  test('is refused with "try again" where there is no room, and gives back what it had', async () => {
    const bodies = new RelayBodies();
    bodies.takeMemory(255 * KIB * KIB);
    const body = new HeldBody(bodies, undefined, noFile);
    await expect(fill(body, counted(2048 * KIB), 64 * KIB)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 2,
    });
    body.release();
    expect(bodies.heldBytes).toBe(255 * KIB * KIB);
  });
});
