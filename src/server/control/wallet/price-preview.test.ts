import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { noUsage } from '#core/chat/usage.ts';
import { pricedText } from '#core/price-book/priced-call.ts';
import { Preview } from '#core/price-book/preview.ts';
import { addInTurns } from './price-preview.ts';

it('a slice is added up in turns of a few milliseconds, and whole', async () => {
  const sources = {
    options: { ...initialOptions, ModelPrice: { m: 1 } },
    catalogue: { find: () => undefined },
  };
  const preview = new Preview(sources, sources, () => 'm');
  const line = (at: number) => {
    const kind = { usage: noUsage, userGroup: `group ${at % 40}`, times: 1, isSelfUse: false, service: {} };
    return [at, 1, 9, '', pricedText(kind), 1, 2].join('\t');
  };
  const text = Array.from({ length: 1003 }, (_, at) => line(at)).join('\n');
  // A slow machine: a millisecond from one look at the clock to the next.
  let nowMs = 0;
  const turns: number[] = [];
  let seen = 0;
  let isOver = false;
  const watch = (): void => {
    turns.push(preview.totals.calls - seen);
    seen = preview.totals.calls;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await addInTurns(preview, { text, untilMs: Infinity }, { monotonic: () => (nowMs += 1) });
  isOver = true;
  expect(preview.totals).toMatchObject({ calls: 1003, unread: 0 });
  expect(Math.max(...turns)).toBeLessThanOrEqual(25);
  expect(turns.length).toBeGreaterThan(40);
});
