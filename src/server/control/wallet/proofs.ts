import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#core/clock.ts';
import type { SealedCall, Signed } from '#core/seal/lines.ts';
import { leafHash, TreeHasher } from '#core/seal/merkle.ts';
import type { PartWithSpan, ProofStore, SealStore } from '#core/seal/seal-store.ts';
import { lineOfPart } from '#core/seal/sealed-parts.ts';
import type { StatementOwner } from '#core/wallet/statement-store.ts';
import { monthOf } from '#core/wallet/statement.ts';
import type { SealSigning } from '#core/seal/published-seals.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { refuse } from '../refuse.ts';
import { saltsOf } from './make-seal.ts';
import { SEALS_PER_PAGE } from './published-pages.ts';
import type { SealKeys } from './seal-keys.ts';
import type { Statements } from './statements.ts';

const ROWS_AT_ONCE = 250;
/**
 * A seal is made for statements at most this often: an account whose calls are not logged lacks receipts for good, and
 * would cause one each time.
 */
const SEALED_AGAIN_MS = 600_000;

export interface ProofDeps {
  readonly proofs: ProofStore;
  readonly statements: Pick<Statements, 'read'>;
  readonly seals: Pick<SealStore, 'last'>;
  /** Throws `unavailable` if sealing takes long; it then continues in the background. */
  readonly sealSoon: () => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealKeys: SealKeys;
  readonly sealCrypto: SealSigning;
  readonly vault: Pick<Vault, 'mac'>;
}

/** The path from a receipt to the published root. */
export interface ReceiptProof {
  readonly index: number;
  readonly count: number;
  readonly path: readonly string[];
  readonly part: string;
  readonly partIndex: number;
  readonly partCount: number;
  readonly partPath: readonly string[];
  readonly seal: Signed;
  readonly page: number;
}

/** A receipt with everything needed to check it without this server. */
export interface SignedReceipt {
  readonly receipt: string;
  readonly keyId: string;
  readonly publicKey: string;
  readonly signature: string;
  /**
   * Why there is no proof: it comes with the next seal, or other rows of its part were deleted, without which nothing
   * can be proven.
   */
  readonly missing: 'not_sealed' | 'rows_deleted' | undefined;
  readonly proof: ReceiptProof | undefined;
}

export type Proofs = ReturnType<typeof createProofs>;

/** The lines of a part's rows, in batches. */
async function* linesOf(
  { proofs, vault }: ProofDeps,
  part: PartWithSpan,
  ids: readonly number[],
): AsyncGenerator<readonly string[]> {
  const salts = saltsOf(vault);
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const few = ids.slice(at, at + ROWS_AT_ONCE);
    yield part.list === 'calls'
      ? (await proofs.callsById(few)).map(salts.lineOfCall)
      : (await proofs.movementsById(few)).map(salts.lineOfMovement);
    await setImmediate();
  }
}

/** Whether rows as old as the oldest of a part were cleared. */
const isCleared = async ({ proofs }: ProofDeps, part: PartWithSpan): Promise<boolean> =>
  part.list === 'calls' && part.fromMs < (await proofs.clearedBeforeMs());

const proofOf = async (
  deps: ProofDeps,
  call: SealedCall,
): Promise<ReceiptProof | 'not_sealed' | 'rows_deleted'> => {
  const { proofs, sealCrypto, vault } = deps;
  const seal = await proofs.sealOfCall(call.id);
  if (seal === undefined) return 'not_sealed';
  const parts = await proofs.partsOf(call.userId, monthOf(call.createdAtMs));
  const part = parts.find((one) => one.list === 'calls' && one.seal === seal.number);
  const ids = part === undefined ? [] : await proofs.idsOf(part);
  const index = ids.indexOf(call.id);
  if (part === undefined || index === -1 || ids.length !== part.count) return 'rows_deleted';
  const tree = new TreeHasher(sealCrypto.sha256, index);
  for await (const lines of linesOf(deps, part, ids))
    for (const line of lines) tree.add(leafHash(sealCrypto.sha256, line));
  return {
    index,
    count: part.count,
    path: tree.path(),
    part: lineOfPart(part, saltsOf(vault).saltOf),
    partIndex: part.index,
    partCount: part.size,
    partPath: part.path,
    seal: { line: seal.line, signature: seal.signature },
    page: Math.floor((seal.number - 1) / SEALS_PER_PAGE),
  };
};

/**
 * The sealed parts of a statement. Calls that ended between the last seal and its issue are sealed now; otherwise it
 * could not be proven before the next day.
 */
const partsFor = async (deps: ProofDeps, owner: StatementOwner, one: Statement) => {
  const parts = await deps.proofs.partsOf(owner.userId, one.month);
  const sealed = parts.reduce((sum, { count }) => sum + count, 0);
  const stated =
    one.models.reduce((sum, { calls }) => sum + calls, 0) +
    one.movements.reduce((sum, { count }) => sum + count, 0);
  if (sealed >= stated) return parts;
  const madeAtMs = (await deps.seals.last())?.madeAtMs ?? 0;
  const isLater = madeAtMs >= (one.issued_at + 1) * 1000;
  if (isLater || deps.clock.now() - madeAtMs < SEALED_AGAIN_MS) return parts;
  await deps.sealSoon();
  return deps.proofs.partsOf(owner.userId, one.month);
};

/** The lines after a file's head: each part with its receipts (only its sums if rows were cleared), then the end. */
async function* proofLines(deps: ProofDeps, parts: readonly PartWithSpan[]): AsyncGenerator<string, void> {
  const { saltOf } = saltsOf(deps.vault);
  let lines = 1;
  for (const part of parts) {
    const ids = await deps.proofs.idsOf(part);
    const deleted = ids.length !== part.count && (await isCleared(deps, part));
    const { index, size, path } = part;
    const proof = { part: lineOfPart(part, saltOf), index, size, path, deleted };
    yield `${JSON.stringify({ tollgate: 'proof', version: 1, ...proof })}\n`;
    lines += 1;
    if (deleted) continue;
    for await (const few of linesOf(deps, part, ids)) {
      lines += few.length;
      if (few.length > 0) yield `${few.join('\n')}\n`;
    }
  }
  yield `${JSON.stringify({ tollgate: 'end', version: 1, lines })}\n`;
}

/** Receipts of calls, and statements with the proofs of their receipts. Refusals are thrown. */
export const createProofs = (deps: ProofDeps) => {
  /** A path over many rows takes a while, so requests take turns. */
  let turn: Promise<unknown> = Promise.resolve();

  return {
    /** The signed receipt of a call; with `userId`, only if that user made it. */
    async receipt(requestId: string, userId: number | undefined): Promise<SignedReceipt> {
      const call = await deps.proofs.callOfRequest(requestId, userId);
      if (call === undefined) throw refuse('receipt_missing');
      const receipt = saltsOf(deps.vault).lineOfCall(call);
      const key = await deps.sealKeys.current();
      const mine = turn.then(() => proofOf(deps, call));
      turn = mine.catch(() => {});
      const proof = await mine;
      const isProven = typeof proof === 'object';
      return {
        receipt,
        keyId: key.id,
        publicKey: key.publicKey,
        signature: key.sign(receipt),
        missing: isProven ? undefined : proof,
        proof: isProven ? proof : undefined,
      };
    },

    /**
     * A statement with everything that proves it, as lines of JSON in batches. A part whose rows were cleared has only
     * its sums. Refused for a token or a tag: only the list of a whole account is known to be complete.
     */
    async statement(
      owner: StatementOwner,
      month: string,
    ): Promise<{ readonly rows: number; pieces(): AsyncGenerator<string, void> }> {
      if (owner.tokenId !== 0 || owner.tag !== '') throw refuse('proof_of_account');
      const issued = (await deps.statements.read(owner, month)).statement;
      const statement = JSON.stringify(issued);
      const key = await deps.sealKeys.current();
      const signed = { statement, key: key.id, signature: key.sign(statement) };
      const parts = await partsFor(deps, owner, issued);
      async function* pieces(): AsyncGenerator<string, void> {
        yield `${JSON.stringify({ tollgate: 'statement', version: 1, ...signed })}\n`;
        yield* proofLines(deps, parts);
      }
      return { rows: parts.reduce((sum, { count }) => sum + count, 0), pieces };
    },
  };
};
