import { expect, it } from 'vitest';
import { PartGatherer } from '#core/seal/sealed-parts.ts';
import { sealCrypto } from './seal-crypto.ts';

const USERS = 20_000;

it('what a seal keeps of many rows has no memory outside the heap, which the garbage collector would look through for long', () => {
  const parts = new PartGatherer(sealCrypto.sha256);
  const before = process.memoryUsage().arrayBuffers;
  for (let row = 0; row < 2 * USERS; row += 1)
    parts.add('calls', { userId: row % USERS, createdAtMs: 1, units: 1 }, `line ${String(row)}`);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(USERS);
  expect(parts.size).toBe(USERS);
});
