import { describe, expect, it } from 'vitest';
import { type AvailabilityRow, callerBit } from '#core/availability/availability.ts';
import { AppError } from '#core/error.ts';
import { timeBucket } from '#core/evidence/evidence.ts';
import type { EndedCall } from '#core/availability/availability-sums.ts';
import { AvailabilityBook } from './availability-book.ts';
import { DAY_S, HOUR_S } from '#core/time/spans.ts';

const DAY = 20_000;
const at = (hour: number): number => (DAY * 24 + hour) * 3_600_000 + 1234;

const call = (more: Partial<EndedCall> = {}): EndedCall => ({
  atMs: at(3),
  userId: 5,
  group: 'default',
  model: 'gpt-4o',
  failure: undefined,
  firstTokenMs: undefined,
  ...more,
});

const open = () => {
  const written: AvailabilityRow[] = [];
  let writes = 0;
  const add = async (rows: readonly AvailabilityRow[]) => {
    writes += 1;
    written.push(...rows);
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return { book: new AvailabilityBook({ add }, log), written, writes: () => writes };
};

describe('the book of availability', () => {
  it('adds up by hour and by day, one row each, with its callers', async () => {
    const { book, written } = open();
    book.note(call({ firstTokenMs: 700 }));
    book.note(call({ userId: 6 }));
    book.note(call({ atMs: at(4), failure: new AppError('upstream_timeout', 'late') }));
    book.note(call({ atMs: at(4) }));
    await book.flush();
    const of = (stretch: number, hour: number, measure: string, calls: number, callers: number) => ({
      stretch,
      start: DAY * DAY_S + hour * HOUR_S,
      group: 'default',
      model: 'gpt-4o',
      measure,
      bucket: measure === 'first_token' ? timeBucket(700) : 0,
      calls,
      callers,
    });
    const [five, both] = [callerBit(5), callerBit(5) | callerBit(6)];
    expect(written).toHaveLength(7);
    expect(written).toEqual(
      expect.arrayContaining([
        of(HOUR_S, 3, 'answered', 2, both),
        of(HOUR_S, 3, 'first_token', 1, five),
        of(HOUR_S, 4, 'failed', 1, five),
        of(HOUR_S, 4, 'answered', 1, five),
        of(DAY_S, 0, 'answered', 3, both),
        of(DAY_S, 0, 'failed', 1, five),
        of(DAY_S, 0, 'first_token', 1, five),
      ]),
    );
  });

  it('counts neither mistakes of callers nor calls whose caller left', async () => {
    const { book, writes } = open();
    for (const code of ['client_closed', 'invalid_request', 'insufficient_quota'] as const)
      book.note(call({ failure: new AppError(code, 'no') }));
    await book.flush();
    expect(writes()).toBe(0);
  });

  it('keeps little in memory, however many models there are', async () => {
    const { book, writes } = open();
    for (let model = 0; model < 5000; model += 1) book.note(call({ model: `model-${String(model)}` }));
    expect(writes()).toBe(2);
    await book.flush();
    expect(writes()).toBe(3);
  });
});
