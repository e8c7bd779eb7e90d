import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { makeStatement, monthOf, type UsedSum } from '../../wallet/statement.ts';
import {
  callLine,
  keyLine,
  type ListName,
  movementLine,
  type SealedCall,
  type SealedMovement,
  sealLine,
} from '../lines.ts';
import type { Sha256 } from '../merkle.ts';
import { chainHash, keyIdOf } from '../published-seals.ts';
import {
  lineOfPart,
  type ListOwner,
  PartGatherer,
  type SealedPart,
  sealParts,
  type SumsBefore,
} from '../sealed-parts.ts';

export const sha256: Sha256 = (data) => createHash('sha256').update(data).digest('base64url');
const rest = async (): Promise<void> => {};
const saltOf = (text: string): string =>
  createHmac('sha256', 'a key of tests').update(text).digest('base64url').slice(0, 22);

const signed = (key: KeyObject, line: string) => ({
  line,
  signature: sign(null, Buffer.from(line), key).toString('base64url'),
});

/** What one day writes: calls and movements of everybody. */
export interface TestDay {
  readonly calls: readonly SealedCall[];
  readonly movements?: readonly SealedMovement[];
  /** From this day on, a new key signs. */
  readonly rotates?: boolean;
}

interface TestKey {
  readonly key: KeyObject;
  readonly id: string;
}

/** A new key pair and its line, signed by the key before it or, for the first, by itself. */
const madeKey = (before: TestKey | undefined, firstSeal: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'jwk' }).x ?? '';
  const id = keyIdOf(sha256, public_key);
  const line = keyLine({ id, public_key, first_seal: firstSeal, made_at: 1_700_000_000 });
  return { pair: { key: privateKey, id }, published: signed(before?.key ?? privateKey, line) };
};

const nameOf = ({ userId, month, list }: ListOwner): string => `${userId} ${month} ${list}`;

/** The parts of a day and the lines of their receipts, by owner. */
const gather = async ({ calls, movements = [] }: TestDay) => {
  const gatherer = new PartGatherer(sha256);
  const rows = new Map<string, string[]>();
  const add = (list: ListName, row: SealedCall | SealedMovement, line: string): void => {
    gatherer.add(list, row, line);
    const name = nameOf({ userId: row.userId, month: monthOf(row.createdAtMs), list });
    rows.set(name, [...(rows.get(name) ?? []), line]);
  };
  for (const call of calls) add('calls', call, callLine(call, saltOf(call.requestId)));
  for (const movement of movements)
    add('movements', movement, movementLine(movement, saltOf(`movement ${movement.id}`)));
  return { gathered: await gatherer.parts(rest), rows };
};

interface KeptPart {
  readonly part: SealedPart;
  readonly rows: readonly string[];
}

const fileOf = (
  { key, id }: TestKey,
  statement: Statement,
  kept: readonly KeptPart[],
  isDeleted: (seal: number) => boolean,
): string[] => {
  const text = JSON.stringify(statement);
  const { signature } = signed(key, text);
  const lines = [JSON.stringify({ tollgate: 'statement', version: 1, statement: text, key: id, signature })];
  for (const { part, rows } of kept) {
    if (part.userId !== statement.user_id || part.month !== statement.month) continue;
    const { index, size, path, seal } = part;
    const deleted = isDeleted(seal);
    const proof = { part: lineOfPart(part, saltOf), index, size, path, deleted };
    lines.push(JSON.stringify({ tollgate: 'proof', version: 1, ...proof }), ...(deleted ? [] : rows));
  }
  return [...lines, JSON.stringify({ tollgate: 'end', version: 1, lines: lines.length })];
};

/** Seals days one after another, as the server does, without a database. */
export const sealDays = async (days: readonly TestDay[]) => {
  let signer = madeKey(undefined, 1);
  const keys = [signer.published];
  const seals: { line: string; signature: string }[] = [];
  const kept: KeptPart[] = [];
  const totals = new Map<string, SumsBefore>();
  for (const [at, day] of days.entries()) {
    const number = at + 1;
    if (day.rotates === true) {
      signer = madeKey(signer.pair, number);
      keys.push(signer.published);
    }
    const { gathered, rows } = await gather(day);
    const parts = gathered.map((part) => ({
      ...part,
      before: totals.get(nameOf(part)) ?? { count: 0, units: 0 },
    }));
    const { root, partAt } = await sealParts(sha256, number, parts, saltOf, rest);
    for (const [index, { before, ...part }] of parts.entries()) {
      totals.set(nameOf(part), { count: before.count + part.count, units: before.units + part.units });
      const sealed = partAt(index);
      if (sealed !== undefined) kept.push({ part: sealed, rows: rows.get(nameOf(part)) ?? [] });
    }
    const previous = seals.at(-1)?.line;
    const line = sealLine({
      number,
      day: new Date(Date.UTC(2026, 9, number)).toISOString().slice(0, 10),
      made_at: Date.UTC(2026, 9, number + 1) / 1000,
      root,
      previous: previous === undefined ? '' : chainHash(sha256, previous),
      key: signer.pair.id,
    });
    seals.push(signed(signer.pair.key, line));
  }
  return {
    keys,
    seals,
    /** Signs any line with the last key. */
    sign: (line: string) => signed(signer.pair.key, line),
    /** The lines of a user's statement with proofs. */
    linesOf: (statement: Statement, isDeleted: (seal: number) => boolean = () => false) =>
      fileOf(signer.pair, statement, kept, isDeleted),
  };
};

/** The lines of a price per call, as in the details of a log row. */
const priceOf = (units: number) => ({
  price_steps: [
    { bucket: 'call', count: 1, factors: { perCall: `${units}` }, unitsEach: `${units}`, units: `${units}` },
  ],
  price_sum: `${units}`,
  price_units: units,
});

export const aCall = (changes: Partial<SealedCall> = {}): SealedCall => ({
  id: 1,
  requestId: 'request',
  userId: 7,
  createdAtMs: Date.UTC(2026, 9, 3, 12),
  tokenId: 3,
  tokenName: 'a token',
  group: 'default',
  model: 'gpt-5',
  isStream: false,
  promptTokens: 100,
  completionTokens: 20,
  units: 50,
  other: JSON.stringify({
    price_version: 1,
    admin_info: { secret: 1 },
    ...priceOf(changes.units ?? 50),
  }),
  ...changes,
});

/** The statement of October 2026 that the ledger would make of these rows. */
export const statementOf = (
  userId: number,
  calls: readonly SealedCall[],
  movements: readonly SealedMovement[] = [],
  month = '2026-10',
): Statement => {
  const used = calls.map((call): UsedSum => ({ ...call, calls: 1 }));
  const charged = calls.reduce((sum, { units }) => sum + units, 0);
  const kinds = [...new Set(movements.map(({ kind }) => kind))];
  return makeStatement({
    month,
    userId,
    tokenId: 0,
    tag: '',
    name: 'alice',
    nowMs: Date.UTC(2026, 10, 1, 2),
    unitsPerDollar: 500_000,
    prior: undefined,
    used,
    usedBefore: [],
    movements: kinds.map((kind) => {
      const deltas = movements.filter((one) => one.kind === kind).map(({ units }) => units);
      const sum = (some: readonly number[]): number => some.reduce((total, delta) => total + delta, 0);
      return {
        kind,
        count: deltas.length,
        in_units: sum(deltas.filter((delta) => delta > 0)),
        out_units: sum(deltas.filter((delta) => delta < 0)),
      };
    }),
    movedUnits: 1000 + movements.reduce((sum, { units }) => sum + units, 0),
    movedBeforeUnits: 1000,
    chargedUnits: charged,
    chargedBeforeUnits: 0,
  });
};
