import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
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

/** Sealed and signed as they are: only what they say is wrong. */
const problemsOf = async (
  calls: readonly ReturnType<typeof aCall>[],
  movements: readonly SealedMovement[] = [],
  { change = (one: Statement) => one, deleted = 0 } = {},
): Promise<readonly string[]> => {
  const month = await sealDays(
    calls.map((call, day) => ({ calls: [call], movements: movements.slice(day, day + 1) })),
  );
  const check = new StatementCheck(crypto, checkPublished(crypto, month));
  const statement = change(statementOf(7, calls, movements));
  for (const line of month.linesOf(statement, (seal) => seal === deleted)) check.line(line);
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

it('movements that are kept back as if they had been deleted are missed', async () => {
  const problems = await problemsOf([aCall({ requestId: 'a' })], [MOVED], { deleted: 1 });
  expect(problems.join()).toMatch(/its movements are not there, though none are ever deleted/);
});

it('tokens that come to something else than the models is found', async () => {
  const change = (one: Statement): Statement => ({
    ...one,
    tokens: one.tokens.map((line) => ({ ...line, units: line.units + 1 })),
  });
  const problems = await problemsOf([aCall({ requestId: 'a' })], [], { change });
  expect(problems).toContain('the statement does not add up in itself');
});
