import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { PieceQueue } from './piece-queue.ts';

const queueOf = (events: string[] = []): PieceQueue =>
  new PieceQueue({ shifted: () => events.push('shifted'), left: () => events.push('left') });

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const broken = new AppError('upstream_failed', 'the connection to the upstream failed');

describe('pieces that are given away as they come', () => {
  test('all arrive in order, however slow their reader', async () => {
    const steps = fc.array(fc.record({ isSlow: fc.boolean(), waits: fc.boolean() }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (pieces, fails) => {
        const queue = queueOf();
        let taken = '';
        const ended = queue
          .each((piece) => {
            taken += piece.toString();
            return pieces[taken.length - 1]?.isSlow === true ? later().then(() => true) : true;
          })
          .catch((thrown: unknown) => thrown);
        const letters = pieces.map((_, at) => String.fromCharCode(97 + at)).join('');
        for (const [at, { waits }] of pieces.entries()) {
          queue.push(Buffer.from(letters.slice(at, at + 1)));
          if (waits) await later();
        }
        queue.end(fails ? broken : undefined);
        expect({ ended: await ended, taken }).toEqual({ ended: fails ? broken : true, taken: letters });
        expect(queue.bytes).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('are passed on at once, and queued while the one before is handled', async () => {
    const events: string[] = [];
    const queue = queueOf(events);
    const waits: (() => void)[] = [];
    const taken: string[] = [];
    void queue.each((piece) => {
      taken.push(piece.toString());
      return piece.toString() === 'slow' ? new Promise((resolve) => waits.push(() => resolve(true))) : true;
    });
    queue.push(Buffer.from('one'));
    expect({ taken: [...taken], bytes: queue.bytes }).toEqual({ taken: ['one'], bytes: 0 });
    queue.push(Buffer.from('slow'));
    queue.push(Buffer.from('three'));
    expect({ taken: [...taken], bytes: queue.bytes, events }).toEqual({
      taken: ['one', 'slow'],
      bytes: 5,
      events: [],
    });
    waits[0]?.();
    await later();
    expect({ taken, bytes: queue.bytes, events }).toEqual({
      taken: ['one', 'slow', 'three'],
      bytes: 0,
      events: ['shifted'],
    });
  });

  test('stop when no more is wanted; the rest can still be read', async () => {
    const queue = queueOf();
    const ended = queue.each((piece) => piece.toString() !== 'last');
    queue.push(Buffer.from('last'));
    queue.push(Buffer.from('rest'));
    queue.end();
    expect(await ended).toBe(false);
    expect((await queue.next()).value?.toString()).toBe('rest');
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  test('end with the error of their reader, at once or later', async () => {
    for (const throws of [
      () => {
        throw broken;
      },
      () => later().then(() => Promise.reject(broken)),
    ]) {
      const queue = queueOf();
      const ended = queue.each(throws).catch((thrown: unknown) => thrown);
      queue.push(Buffer.from('one'));
      expect(await ended).toBe(broken);
    }
  });
});

test('leaving the loop is reported', async () => {
  const events: string[] = [];
  const queue = queueOf(events);
  queue.push(Buffer.from('one'));
  for await (const piece of { [Symbol.asyncIterator]: () => queue }) {
    expect(piece.toString()).toBe('one');
    break;
  }
  expect(events).toEqual(['shifted', 'left']);
});

test('of many large pieces that have waited, one is given in a turn of the event loop', async () => {
  const queue = queueOf();
  for (let index = 0; index < 4; index += 1) queue.push(Buffer.alloc(64 * 1024, index));
  const given: number[] = [];
  const whole = queue.each((piece) => {
    given.push(piece[0] ?? -1);
    return true;
  });
  queue.end();
  const turns: number[] = [];
  while (given.length < 4) {
    turns.push(given.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await whole).toBe(true);
  expect(given).toEqual([0, 1, 2, 3]);
  expect(turns).toEqual([0, 1, 2]);
});

test('a body that has come whole and is short is taken at once; of any other nothing is', async () => {
  const queue = queueOf();
  queue.push(Buffer.from('one'));
  expect(queue.arrived(100)).toBeUndefined();
  queue.push(Buffer.from('two'));
  queue.end();
  expect(queue.arrived(5)).toBeUndefined();
  expect(queue.arrived(6)?.map(String)).toEqual(['one', 'two']);
  expect(await queue.next()).toEqual({ done: true, value: undefined });
  const lost = queueOf();
  lost.push(Buffer.from('one'));
  lost.end(broken);
  expect(lost.arrived(100)).toBeUndefined();
});
