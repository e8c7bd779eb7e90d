import type * as contract from '#contract/api/wallet/seals.ts';
import type { StoredSeal } from '#core/seal/seal-store.ts';
import type { StatementOwner } from '#core/wallet/statement-store.ts';
import type { UserManagement } from '../../../control/people/user-management.ts';
import type { Proofs, SignedReceipt } from '../../../control/wallet/proofs.ts';
import type { Seals } from '../../../control/wallet/seals.ts';
import type { Download, Handlers } from '../../handler.ts';
import { toSeconds } from '../page.ts';

interface SealDeps {
  readonly seals: Seals;
  readonly proofs: Proofs;
  readonly userManagement: Pick<UserManagement, 'read'>;
}

const receiptWire = ({ receipt, keyId, publicKey, signature, missing, proof }: SignedReceipt) => ({
  receipt,
  key: keyId,
  public_key: publicKey,
  signature,
  missing: missing ?? null,
  proof:
    proof === undefined
      ? null
      : {
          of_receipt: { index: proof.index, count: proof.count, path: [...proof.path] },
          part: proof.part,
          of_part: { index: proof.partIndex, count: proof.partCount, path: [...proof.partPath] },
          seal: proof.seal.line,
          seal_signature: proof.seal.signature,
          page: proof.page,
        },
});

const sealWire = ({ number, day, madeAtMs }: StoredSeal) => ({ number, day, made_at: toSeconds(madeAtMs) });

/** Receipts, statements with proofs, and the seals that prove them. */
export const sealHandlers = ({ seals, proofs, userManagement }: SealDeps): Handlers<typeof contract> => {
  const fileOf = async (owner: StatementOwner, month: string): Promise<Download> => {
    const { rows, pieces } = await proofs.statement(owner, month);
    return { fileName: `statement-${month}.jsonl`, contentType: 'application/jsonl', rows, pieces };
  };
  return {
    readOwnReceipt: async ({ query }, { actor }) =>
      receiptWire(await proofs.receipt(query.request_id, actor.user.id)),
    readReceipt: async ({ query }) => receiptWire(await proofs.receipt(query.request_id, undefined)),
    downloadOwnProofs: ({ params }, { actor }) =>
      fileOf({ userId: actor.user.id, tokenId: 0, tag: '' }, params.month),
    downloadUserProofs: async ({ params }, { actor }) => {
      await userManagement.read(actor.user, params.id);
      return fileOf({ userId: params.id, tokenId: 0, tag: '' }, params.month);
    },
    readSealState: async () => {
      const { last, keys, isKeyDamaged, isRunning, isDue, nextMs, unsealedRows } = await seals.state();
      return {
        last: last === undefined ? null : sealWire(last),
        keys: keys.map(({ id, firstSeal, madeAtMs }) => ({
          id,
          first_seal: firstSeal,
          made_at: toSeconds(madeAtMs),
        })),
        key_damaged: isKeyDamaged,
        is_running: isRunning,
        is_due: isDue,
        next_at: toSeconds(nextMs),
        unsealed_rows: unsealedRows,
      };
    },
    sealNow: async () => sealWire(await seals.sealSoon()),
    rotateSealKey: async (_, { actor }) => {
      await seals.rotateKey(actor.user);
      return null;
    },
    beginSealKeysAnew: async (_, { actor }) => {
      await seals.beginKeysAnew(actor.user);
      return null;
    },
  };
};
