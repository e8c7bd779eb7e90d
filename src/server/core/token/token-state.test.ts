import { expect, it } from 'vitest';
import { tokenStatusAt } from './token-state.ts';

const token = { status: 1, expiresAtMs: null, unlimited: false, remainQuotaUnits: 1 };

it.each([
  [{}, 1],
  [{ expiresAtMs: 1001 }, 1],
  [{ expiresAtMs: 1000 }, 3],
  [{ remainQuotaUnits: 0 }, 4],
  [{ remainQuotaUnits: 0, unlimited: true }, 1],
  [{ expiresAtMs: 1, remainQuotaUnits: 0 }, 3],
  [{ status: 2, expiresAtMs: 1 }, 2],
])('a token with %j is of status %i', (changes, status) => {
  expect(tokenStatusAt({ ...token, ...changes }, 1000)).toBe(status);
});
