import { expect, test } from 'vitest';
import { movementOf } from './apply-ops.ts';
import { restRef } from './close.ts';

test('the part a hold keeps after its end is looked up in the journal by the name it is written with, so it is kept once', () => {
  const keep = { op: 'keep', id: 'h', quotaUnits: 1, nowMs: 0 } as const;
  expect(movementOf(keep)).toEqual({ kind: 'admin', ref: restRef('h') });
});

test('what moves nothing by itself is not looked for', () => {
  expect(movementOf({ op: 'resolve', id: 'h', nowMs: 0 })).toBeUndefined();
});
