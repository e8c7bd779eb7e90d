import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Published, SealedCall, SealedMovement, Signed } from './lines.ts';
import { checkPublished, type SealCrypto } from './published-seals.ts';
import { StatementCheck, type StatementReport } from './statement-check.ts';
import { aCall, sealDays, sha256, statementOf, type TestDay } from './testing/sealed-months.ts';

const crypto: SealCrypto = {
  sha256,
  verify: (publicKey, text, signature) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  },
};

const check = (
  published: Pick<Published, 'keys' | 'seals'>,
  lines: readonly string[],
  trusted?: string,
): StatementReport => {
  const one = new StatementCheck(crypto, checkPublished(crypto, published, trusted));
  for (const line of lines) one.line(line);
  return one.report();
};

const at = (day: number): number => Date.UTC(2026, 9, day, 12);
const USER = 7;
const calls = [2, 2, 2, 3, 3, 5].map((day, index) =>
  aCall({
    id: index + 1,
    requestId: `call ${index + 1}`,
    createdAtMs: at(day),
    units: 10 + index,
    model: index % 2 === 0 ? 'gpt-5' : 'claude',
  }),
);
const others = [2, 3, 4, 5].map((day, index) =>
  aCall({ id: 50 + index, requestId: `other ${index}`, userId: 8, createdAtMs: at(day), units: 999 }),
);
const payment: SealedMovement = {
  id: 1,
  userId: USER,
  createdAtMs: at(3),
  kind: 'topup',
  units: 500,
};
const dayOf = (day: number): TestDay => ({
  calls: [...calls, ...others].filter(({ createdAtMs }) => createdAtMs === at(day)),
  movements: day === 3 ? [payment] : [],
});
const month = await sealDays([2, 3, 4, 5].map(dayOf));
const statement = statementOf(USER, calls, [payment]);
const lines = month.linesOf(statement);

describe('a statement with its proofs', () => {
  it('is proven by the published seals alone, with every call and movement', async () => {
    expect(check(month, lines)).toEqual({
      verdict: 'proven',
      statement,
      problems: [],
      notes: [],
      calls: 6,
      movements: 1,
      late: { units: 0, outUnits: 0 },
    });
    expect(lines.join('\n')).not.toContain('secret');
  });

  it('shows nothing of what others did, and their rows not even as hashes of their own', async () => {
    expect(lines.join('\n')).not.toMatch(/other \d|"user":8/);
    for (const { line } of month.seals)
      expect(Object.keys(JSON.parse(line) as object)).not.toContain('units');
  });

  const rowAt = lines.findIndex((line) => line.startsWith('{"tollgate":"call"'));
  const partAt = lines.findIndex((line) => line.startsWith('{"tollgate":"proof"'));
  const wrong: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
    'a changed amount': [
      lines.with(rowAt, lines[rowAt]!.replace('"units":10', '"units":11')),
      /seal 1 \(2026-10-01\): calls were changed, or their order was/,
    ],
    'a changed model': [lines.with(rowAt, lines[rowAt]!.replace('gpt-5', 'gpt-6')), /calls were changed/],
    'a dropped row': [lines.toSpliced(rowAt, 1), /seal 1 .*1 of 3 calls were taken out/],
    'a row twice': [lines.toSpliced(rowAt, 0, lines[rowAt]!), /1 calls were added to 3/],
    'rows in another order': [
      lines.with(rowAt, lines[rowAt + 1]!).with(rowAt + 1, lines[rowAt]!),
      /calls were changed, or their order was/,
    ],
    'a dropped day': [lines.toSpliced(partAt, 4), /before seal 2 there were 3 calls .* a day was taken out/],
    'a dropped last day': [lines.toSpliced(-3, 2), /1 of the statement's 6 calls are under no seal/],
    'days in another order': [
      [...lines.slice(0, partAt), ...lines.slice(-3, -1), ...lines.slice(partAt, -3), lines.at(-1)!],
      /seal 1 comes after seal 4: days are in another order/,
    ],
    'sums that were changed': [
      lines.with(partAt, lines[partAt]!.replace('\\"count\\":3', '\\"count\\":4')),
      /its sums of calls are not those that were sealed/,
    ],
    'a truncated file': [lines.slice(0, -2), /cut off/],
    'a line that is cut': [lines.with(rowAt, lines[rowAt]!.slice(0, 40)), /is damaged/],
    'something after the end': [[...lines, lines[rowAt]!], /after the end/],
    'no statement': [['{}', ...lines.slice(1)], /no statement with proofs/],
    'an empty file': [[], /cut off/],
  };
  for (const [what, [changed, problem]] of Object.entries(wrong))
    it(`is refused with ${what}`, () => {
      const report = check(month, changed);
      expect(report.verdict).toBe('wrong');
      expect(report.problems.join('\n')).toMatch(problem);
    });

  it('is refused where it charges more than its receipts come to, or is not signed', async () => {
    const dearer = structuredClone(statement);
    for (const line of [dearer.models[0]!, dearer.tokens[0]!]) line.units += 5;
    dearer.charged_units += 5;
    dearer.charged_after_units += 5;
    dearer.closing_units! -= 5;
    expect(check(month, month.linesOf(dearer)).problems.join('\n')).toMatch(
      /says 80 units for calls, its receipts 75/,
    );
    expect(check(month, month.linesOf({ ...statement, closing_units: 1 })).problems.join()).toMatch(
      /does not add up in itself/,
    );
    const unsigned = lines.with(0, lines[0]!.replace('\\"alice\\"', '\\"malice\\"'));
    expect(check(month, unsigned).problems).toContain('the statement is not signed by a published key');
  });

  it('is refused with invented movements of money, and says what its own receipts cannot prove', () => {
    const churned = structuredClone(statement);
    churned.movements[0]!.in_units += 300;
    churned.movements[0]!.out_units -= 300;
    expect(check(month, month.linesOf(churned)).problems).toEqual([
      'the statement says 800 units that came in by topup, its receipts 500',
      'the statement says -300 units that went out by topup, its receipts 0',
    ]);
    const taken = { ...statement, late_moved_units: -100, closing_units: statement.closing_units! - 100 };
    expect(check(month, month.linesOf(taken)).notes.join()).toMatch(/-100 units are late movements/);
    for (const part of [{ tag: 'team' }, { token_id: 3 }, { opening_units: null }, { closing_units: null }])
      expect(check(month, month.linesOf({ ...statement, ...part })).problems.join()).toMatch(
        /only statements of whole accounts/,
      );
  });

  it('is refused against the seals of another site, and where a call never came under a seal', async () => {
    expect(check(await sealDays([2, 3, 4, 5].map(dayOf)), lines).verdict).toBe('newer'); // Only keys differ.
    expect(check(await sealDays([2, 3, 4, 4].map(dayOf)), lines).verdict).toBe('wrong');
    const more = statementOf(USER, [...calls, aCall({ units: 3 })], [payment]);
    expect(check(month, month.linesOf(more)).problems.join()).toMatch(/1 of the statement's 7 calls/);
  });

  it('tells what came after it was issued; and where rows were deleted, proves the sums of their days', async () => {
    const early = statementOf(USER, calls.slice(0, 5), [payment]);
    const late = check(month, month.linesOf(early));
    expect(late).toMatchObject({ verdict: 'proven', calls: 6 });
    expect(late.notes).toEqual([
      '1 calls of 15 units came after the statement was issued: a later one has them as late',
    ]);
    const deleted = check(
      month,
      month.linesOf(statement, (seal) => seal === 1),
    );
    expect(deleted).toMatchObject({ verdict: 'partly', problems: [], calls: 6 });
    expect(deleted.notes.join()).toMatch(/of 3 calls the rows were deleted/);
  });

  it('is refused where it charges more than all days of deleted rows, though nobody knows which of them it has', () => {
    const said = (count: number, moreUnits: number): StatementReport => {
      const early = statementOf(USER, calls.slice(0, count), [payment]);
      for (const line of [early.models[0]!, early.tokens[0]!]) line.units += moreUnits;
      early.charged_units += moreUnits;
      early.charged_after_units += moreUnits;
      early.closing_units! -= moreUnits;
      const file = month.linesOf(early, (seal) => seal === 1);
      return check(month, file);
    };
    expect(said(2, 12)).toMatchObject({ verdict: 'partly', problems: [] });
    expect(said(2, 13).problems).toEqual(['the statement says 34 units for calls, its days 0 to 33']);
  });
});

describe('published seals', () => {
  const swapped = ([first, second, ...rest]: readonly Signed[]): Signed[] => [second!, first!, ...rest];

  it('are refused in another order, with a hole, changed, or signed by a key that is not of their time', async () => {
    const problemsOf = (seals: readonly Signed[], keys = month.keys): string =>
      checkPublished(crypto, { keys: [...keys], seals: [...seals] }).problems.join('\n');
    const { seals } = month;
    expect(problemsOf(seals)).toBe('');
    // A page of them need not have the first.
    expect(problemsOf(seals.slice(2))).toBe('');
    expect(problemsOf(swapped(seals))).toMatch(/seal 1 follows seal 2/);
    expect(problemsOf(seals.toSpliced(1, 1))).toMatch(/seal 3 follows seal 1: days are missing/);
    const changed = { ...seals[1]!, line: seals[1]!.line.replace('2026-10-02', '2026-10-09') };
    expect(problemsOf(seals.with(1, changed))).toMatch(
      /seal 2 .* is not signed.*\n.*seal 3 .* does not continue/,
    );
    expect(problemsOf(seals, (await sealDays([dayOf(2)])).keys)).toMatch(/not signed by the key of its time/);
    expect(problemsOf(seals, [])).toMatch(/not signed/);
    expect(problemsOf([{ line: '{}', signature: '' }])).toMatch(/no seal/);
  });

  it('go on under a new key that the old one signed, and under no other', async () => {
    const rotated = await sealDays([2, 3, 4, 5].map((day) => ({ ...dayOf(day), rotates: day === 4 })));
    expect(rotated.keys).toHaveLength(2);
    expect(check(rotated, rotated.linesOf(statement))).toMatchObject({ verdict: 'proven', problems: [] });
    const known = (JSON.parse(rotated.keys[0]!.line) as { id: string }).id;
    expect(check(rotated, rotated.linesOf(statement), known).problems).toEqual([]);
    expect(check(rotated, rotated.linesOf(statement), 'another').problems.join()).toMatch(/not among those/);
    const foreign = (await sealDays([dayOf(2)])).keys[0]!;
    const forged = { keys: [rotated.keys[0]!, foreign], seals: rotated.seals };
    expect(check(forged, rotated.linesOf(statement)).problems.join('\n')).toMatch(
      /is not signed by the key before/,
    );
    // The old key signs nothing any more.
    expect(check({ ...rotated, keys: rotated.keys.slice(0, 1) }, rotated.linesOf(statement)).verdict).toBe(
      'wrong',
    );
  });
});

describe('a key known in advance', () => {
  const idOf = ({ line }: Signed): string => (JSON.parse(line) as { id: string }).id;

  it('does not vouch for a key that signed it', async () => {
    const forged = await sealDays([2, 3, 4, 5].map(dayOf));
    const known = month.keys[0]!;
    for (const first of [1, 2, 5, 9]) {
      const line = known.line.replace('"first_seal":1,', `"first_seal":${first},`);
      const published = { keys: [forged.keys[0]!, forged.sign(line)], seals: forged.seals };
      expect(check(published, forged.linesOf(statement), idOf(known)).verdict).toBe('wrong');
    }
    const behind = forged.sign(known.line.replace('"first_seal":1,', '"first_seal":9,'));
    const report = checkPublished(crypto, { ...forged, keys: [forged.keys[0]!, behind] }, idOf(known));
    expect(report.problems.join()).toMatch(/4 seals up to seal 4 do not follow from the key/);
    expect([report.seals.size, [...report.keys.keys()]]).toEqual([0, [idOf(known)]]);
  });

  it('proves the seals before its own, whose hashes it signed, and their keys', async () => {
    const rotated = await sealDays([2, 3, 4, 5].map((day) => ({ ...dayOf(day), rotates: day === 4 })));
    expect(check(rotated, rotated.linesOf(statement), idOf(rotated.keys[1]!))).toMatchObject({
      verdict: 'proven',
      problems: [],
    });
    // Its first seal is not there yet, or not there any more.
    const before = { ...rotated, seals: rotated.seals.slice(0, 2) };
    expect(check(before, rotated.linesOf(statement), idOf(rotated.keys[1]!)).verdict).toBe('wrong');
  });
});

const someCalls = fc.array(
  fc.record({
    user: fc.integer({ min: 1, max: 3 }),
    day: fc.integer({ min: 1, max: 40 }),
    units: fc.nat(1000),
  }),
  { maxLength: 40 },
);

it('whatever days there were, each user has a proof of each month, and no line can be changed, taken out or moved', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someCalls, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      async (days, pick, how) => {
        let id = 0;
        const written = days.map((rows) =>
          rows.map(({ user, day, units }): SealedCall => {
            id += 1;
            const createdAtMs = Date.UTC(2026, 9, day);
            return aCall({ id, requestId: `call ${id}`, userId: user, createdAtMs, units });
          }),
        );
        const sealed = await sealDays(written.map((rows, day) => ({ calls: rows, rotates: day % 2 === 1 })));
        for (const user of [1, 2, 3]) {
          const own = written
            .flat()
            .filter(({ userId, createdAtMs }) => userId === user && createdAtMs < Date.UTC(2026, 10, 1));
          const file = sealed.linesOf(statementOf(user, own));
          expect(check(sealed, file)).toMatchObject({ verdict: 'proven', calls: own.length });
          const place = 1 + (pick % (file.length - 1));
          const line = file[place]!;
          const broken = [
            file.toSpliced(place, 1),
            file.with(
              place,
              line.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
            ),
            file.toSpliced(place, 0, line),
            file.toSpliced(place, 1).toSpliced(1 + ((pick + 1) % Math.max(1, file.length - 2)), 0, line),
          ][how % 4]!;
          const isSame = broken.join('\n') === file.join('\n');
          expect(check(sealed, broken).verdict).toBe(isSame ? 'proven' : 'wrong');
        }
      },
    ),
    { numRuns: 60 },
  );
});
