import { describe, expect, test } from 'vitest';
import type { EvidenceRow } from '#core/evidence/evidence.ts';
import { EvidenceBook, type Observation } from './evidence-book.ts';

const seen = (more: Partial<Observation> = {}): Observation => ({
  channelId: 1,
  model: 'gpt-4o',
  atMs: 86_400_000 * 100 + 5,
  tokens: 300,
  named: undefined,
  isOther: false,
  output: undefined,
  prompt: undefined,
  hiddenTokens: undefined,
  firstTokenMs: undefined,
  cacheTokens: 0,
  isCacheOdd: false,
  isImpossible: false,
  ...more,
});

const open = () => {
  const written: EvidenceRow[] = [];
  const errors: string[] = [];
  let isBroken = false;
  const store = {
    add: async (rows: readonly EvidenceRow[]) => {
      if (isBroken) throw new Error('no database');
      written.push(...rows);
    },
  };
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (text: string) => void errors.push(text),
  };
  return { book: new EvidenceBook(store, log), written, errors, breakDown: () => (isBroken = true) };
};

describe('the book', () => {
  test('adds calls up before they are written, by channel, model and day', async () => {
    const { book, written } = open();
    for (let call = 0; call < 3; call += 1)
      book.note(seen({ named: 'gpt-4o-mini', isOther: true, output: { reported: 200, counted: 100 } }));
    book.note(seen({ named: 'gpt-4o', cacheTokens: 9, isCacheOdd: true, firstTokenMs: 1000 }));
    book.note(seen({ channelId: 2 }));
    await book.flush();
    const of = (channelId: number, measure: string, detail: string, calls: number, amount: number) => ({
      channelId,
      model: 'gpt-4o',
      day: 100,
      measure,
      detail,
      calls,
      amount,
    });
    expect(written).toEqual([
      of(1, 'calls', '', 4, 1200),
      of(1, 'named', 'gpt-4o-mini', 3, 0),
      of(1, 'named', '', 1, 0),
      of(1, 'output', '4', 3, 300),
      of(1, 'first_token', '39', 1, 1000),
      of(1, 'cache', 'more_than_prompt', 1, 9),
      of(2, 'calls', '', 1, 300),
    ]);
  });

  test('keeps a bounded number of model names, whatever an upstream calls itself', async () => {
    const { book, written } = open();
    for (let call = 0; call < 1000; call += 1) book.note(seen({ named: `model ${call}`, isOther: true }));
    await book.flush();
    const names = written.filter(({ measure }) => measure === 'named');
    expect(names).toHaveLength(21);
    expect(names.reduce((sum, { calls }) => sum + calls, 0)).toBe(1000);
  });

  test('keeps a bounded number of names a day, however often it writes', async () => {
    const { book, written } = open();
    for (let call = 0; call < 200; call += 1) {
      book.note(seen({ named: `claims-${call}`, isOther: true }));
      if (call % 10 === 9) await book.flush();
    }
    await book.flush();
    const names = written.filter(({ measure }) => measure === 'named');
    expect(new Set(names.map(({ detail }) => detail)).size).toBeLessThanOrEqual(21);
    expect(names.reduce((sum, { calls }) => sum + calls, 0)).toBe(200);
    // The next day has names of its own.
    book.note(seen({ named: 'tomorrow', isOther: true, atMs: 86_400_000 * 101 }));
    await book.flush();
    expect(written.at(-1)).toMatchObject({ day: 101, measure: 'named', detail: 'tomorrow' });
  });

  test('fails no call where the database does not answer', async () => {
    const { book, errors, breakDown } = open();
    breakDown();
    book.note(seen());
    await book.flush();
    expect(errors).toHaveLength(1);
  });
});
