import { expect, it } from 'vitest';
import { turnedFurther } from './use-turned-rows.ts';

it('a change of density goes down the drawn rows a few at a time, and those not drawn have it with the last', () => {
  const steps = [turnedFurther({ isCompact: true, rows: 0 }, 8)];
  for (let at = 0; at < 2; at += 1) steps.push(turnedFurther(steps[at] ?? { isCompact: false, rows: 0 }, 8));
  expect(steps).toEqual([3, 6, Infinity].map((rows) => ({ isCompact: true, rows })));
});
