import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SealedMovement } from './lines.ts';
import { checkPublished, type SealCrypto } from './published-seals.ts';
import { StatementCheck } from './statement-check.ts';
import { aCall, sealDays, sha256, statementOf } from './testing/sealed-months.ts';

const crypto: SealCrypto = {
  sha256,
  verify: (publicKey, text, signature) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  },
};
const MOVED: SealedMovement = {
  id: 1,
  userId: 7,
  createdAtMs: Date.UTC(2026, 9, 2),
  kind: 'topup',
  units: 5,
};

/** Sealed and signed as they are: only that something is there twice is wrong. */
const problemsOf = async (
  calls: readonly ReturnType<typeof aCall>[],
  movements: readonly SealedMovement[] = [],
): Promise<readonly string[]> => {
  const month = await sealDays(
    calls.map((call, day) => ({ calls: [call], movements: movements.slice(day, day + 1) })),
  );
  const check = new StatementCheck(crypto, checkPublished(crypto, month));
  for (const line of month.linesOf(statementOf(7, calls, movements))) check.line(line);
  return check.report().problems;
};

it('a call or movement that was charged and sealed twice is found', async () => {
  const [one, other] = [aCall({ id: 1, requestId: 'a' }), aCall({ id: 2, requestId: 'b' })];
  expect(await problemsOf([one, other], [MOVED, { ...MOVED, id: 2 }])).toEqual([]);
  expect(await problemsOf([one, { ...other, requestId: 'a' }])).toEqual(['call a is there twice']);
  expect(await problemsOf([one, other], [MOVED, MOVED])).toEqual(['movement 1 is there twice']);
});

it('a price that does not come out of its lines is found, however well it is sealed', async () => {
  const { other } = aCall({ units: 50 });
  expect(await problemsOf([aCall({ requestId: 'a', units: 51, other })])).toEqual([
    'call a: it is charged 51 units, its price is 50',
  ]);
});
