import { setTimeout } from 'node:timers/promises';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { callLine, movementLine, type SealedCall, type SealedMovement, sealLine } from '#core/seal/lines.ts';
import { chainHash, type SealSigning } from '#core/seal/published-seals.ts';
import type { Rest } from '#core/seal/merkle.ts';
import type { IdSpan, StoredSeal, Marks, SealClaim, SealStore } from '#core/seal/seal-store.ts';
import { type GatheredPart, PartGatherer, sealParts, type SumsBefore } from '#core/seal/sealed-parts.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { SealKeys } from './seal-keys.ts';
import { DAY_MS } from '#core/time/spans.ts';

/** Few, because hashing them blocks the thread for some milliseconds. */
const ROWS_AT_ONCE = 125;
const PARTS_AT_ONCE = 200;
/** Further parts go into another seal right afterwards, because all parts are in memory while their seal is made. */
const MOST_PARTS = 20_000;
const RENEW_MS = 30_000;
const LONGEST_REST_MS = 250;
/** By then most calls that began before midnight have ended. The others go into the next day's seal. */
const GRACE_MS = 15 * 60_000;

export interface MakeSealDeps {
  readonly seals: SealStore;
  readonly vault: Pick<Vault, 'mac'>;
  readonly sealCrypto: SealSigning;
  readonly sealKeys: SealKeys;
  readonly clock: Clock;
}

const SALT_LENGTH = 22;

/** The salts of lines. Without the master key, nobody can guess the content of a hash. */
export const saltsOf = (vault: Pick<Vault, 'mac'>) => {
  const saltOf = (text: string): string => vault.mac(`seal ${text}`).slice(0, SALT_LENGTH);
  return {
    saltOf,
    lineOfCall: (call: SealedCall): string => callLine(call, saltOf(`call ${call.requestId} ${call.id}`)),
    lineOfMovement: (movement: SealedMovement): string =>
      movementLine(movement, saltOf(`movement ${movement.id}`)),
  };
};

/** The UTC day of a seal made now: the last one that has ended. */
export const dayToSeal = (nowMs: number): string =>
  new Date(nowMs - GRACE_MS - DAY_MS).toISOString().slice(0, 10);

/** When the current day can be sealed. */
export const nextSealMs = (nowMs: number): number =>
  (Math.floor((nowMs - GRACE_MS) / DAY_MS) + 1) * DAY_MS + GRACE_MS;

/** Thrown if the server stops meanwhile; the next run discards what was written. */
export class SealingStopped extends AppError {
  constructor() {
    super('unavailable', 'the server stops');
  }
}

/**
 * Pauses for as long as it worked, so that calls are not delayed, and renews the claim. Throws when the server is
 * stopping.
 */
const paceOf = (claim: SealClaim, clock: Clock, isStopping: () => boolean): Rest => {
  let beganMs = clock.monotonic();
  let renewedMs = beganMs;
  return async () => {
    if (isStopping()) throw new SealingStopped();
    await setTimeout(Math.min(LONGEST_REST_MS, clock.monotonic() - beganMs));
    beganMs = clock.monotonic();
    if (beganMs - renewedMs < RENEW_MS) return;
    await claim.renew(clock.now());
    renewedMs = beganMs;
  };
};

interface Scan<Row> {
  readonly read: (span: IdSpan, limit: number) => Promise<readonly Row[]>;
  readonly add: (row: Row) => void;
  readonly isFull: () => boolean;
  readonly rest: Rest;
}

/** @returns the id up to which all rows are included */
const scan = async <Row extends { readonly id: number }>(
  span: IdSpan,
  { read, add, isFull, rest }: Scan<Row>,
): Promise<number> => {
  for (let { after } = span; ;) {
    if (isFull()) return after;
    const rows = await read({ after, upTo: span.upTo }, ROWS_AT_ONCE);
    for (const row of rows) add(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < ROWS_AT_ONCE) return Math.max(span.after, span.upTo);
    after = end.id;
    await rest();
  }
};

/** Gathers everything between the last seal and these marks, by user and month; `reached` is how far it came. */
const gather = async (
  { seals, sealCrypto, vault }: MakeSealDeps,
  last: Marks | undefined,
  marks: Marks,
  rest: Rest,
) => {
  const salts = saltsOf(vault);
  const parts = new PartGatherer(sealCrypto.sha256);
  const common = { isFull: () => parts.size >= MOST_PARTS, rest };
  const movementId = await scan(
    { after: last?.movementId ?? 0, upTo: marks.movementId },
    {
      ...common,
      read: seals.movements,
      add: (row) => parts.add('movements', row, salts.lineOfMovement(row)),
    },
  );
  const callId = await scan(
    { after: last?.callId ?? 0, upTo: marks.callId },
    { ...common, read: seals.calls, add: (row) => parts.add('calls', row, salts.lineOfCall(row)) },
  );
  const reached: Marks = { callId, movementId };
  return { gathered: await parts.parts(rest), reached };
};

/** Adds to each part the sums of its list in all earlier seals. */
const withSumsBefore = async (seals: SealStore, gathered: readonly GatheredPart[], rest: Rest) => {
  const parts: (GatheredPart & { readonly before: SumsBefore })[] = [];
  for (let at = 0; at < gathered.length; at += PARTS_AT_ONCE) {
    const few = gathered.slice(at, at + PARTS_AT_ONCE);
    const sums = await seals.sumsBefore(few);
    for (const [index, part] of few.entries())
      parts.push({ ...part, before: sums[index] ?? { count: 0, units: 0 } });
    await rest();
  }
  return parts;
};

/** Makes a new seal of what was written since the last one; `isWhole` says that nothing is left for another. */
export const makeSeal = async (
  deps: MakeSealDeps,
  claim: SealClaim,
  isStopping: () => boolean,
): Promise<{ readonly seal: StoredSeal; readonly isWhole: boolean }> => {
  const { seals, sealCrypto, sealKeys, clock, vault } = deps;
  const rest = paceOf(claim, clock, isStopping);
  const last = await seals.last();
  const number = (last?.number ?? 0) + 1;
  // First, because all else would be in vain without a key.
  const signer = await sealKeys.forSeal(claim, number);
  await claim.dropUnfinished(number);
  const marks = await seals.writtenUpTo();
  const { gathered, reached } = await gather(deps, last, marks, rest);
  const parts = await withSumsBefore(seals, gathered, rest);
  const { root, partAt } = await sealParts(sealCrypto.sha256, number, parts, saltsOf(vault).saltOf, rest);
  for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) {
    const few = parts.slice(at, at + PARTS_AT_ONCE).flatMap((_, index) => partAt(at + index) ?? []);
    await claim.addParts(few);
    await rest();
  }
  const madeAtMs = clock.now();
  const day = dayToSeal(madeAtMs);
  const line = sealLine({
    number,
    day,
    made_at: Math.floor(madeAtMs / 1000),
    root,
    previous: last === undefined ? '' : chainHash(sealCrypto.sha256, last.line),
    key: signer.id,
  });
  const seal = { ...reached, number, day, madeAtMs, line, signature: signer.sign(line) };
  await claim.addSeal(seal);
  return {
    seal,
    isWhole: reached.callId >= marks.callId && reached.movementId >= marks.movementId,
  };
};
