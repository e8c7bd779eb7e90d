import { expect, test } from 'vitest';
import { movementOf } from './apply-ops.ts';
import { restRef } from './close.ts';

test('the rest that a hold keeps after its end is looked up by the name it is written under, so it is kept once', () => {
  const keep = { op: 'keep', id: 'h', quotaUnits: 1, nowMs: 0 } as const;
  expect(movementOf(keep)).toEqual({ kind: 'admin', ref: restRef('h') });
});

test('an operation that moves no money by itself is not looked up in the journal', () => {
  expect(movementOf({ op: 'resolve', id: 'h', nowMs: 0 })).toBeUndefined();
});
