import type { Published } from '#core/seal/lines.ts';
import { checkPublished } from '#core/seal/published-seals.ts';
import { StatementCheck } from '#core/seal/statement-check.ts';
import { createProofs } from '../../control/wallet/proofs.ts';
import { createSealKeys } from '../../control/wallet/seal-keys.ts';
import { createSeals } from '../../control/wallet/seals.ts';
import { createStatements } from '../../control/wallet/statements.ts';
import { sealCrypto } from '../../seal-crypto.ts';
import type { Database } from '../database/database.ts';
import { openVault } from '../vault/vault.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createProofStore } from '../wallet/proof-store.ts';
import { createSealStore } from '../wallet/seal-store.ts';
import { createStatementStore } from '../wallet/statement-store.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Who makes new keys. */
export const keyMaker = { id: 1, username: 'root' };

/** A node that seals on a database, whose clock is moved. */
export const openSealNode = async (database: Database, start: number) => {
  let nowMs = start;
  const clock = { now: () => nowMs, monotonic: () => performance.now() };
  const vault = await openVault(database, { masterKeyText: 'm'.repeat(40), keyFile: '' });
  const common = { vault, sealCrypto, clock, log: quiet };
  const sealStore = createSealStore(database);
  const sealKeys = createSealKeys({ ...common, seals: sealStore });
  const logs = createLogStore(database);
  const seals = createSeals({ ...common, logs, seals: sealStore, sealKeys });
  const statements = createStatements({
    statements: createStatementStore(database),
    clock,
    unitsPerDollar: () => 500_000,
  });
  const proofs = createProofs({
    ...common,
    seals: sealStore,
    sealSoon: seals.sealSoon,
    proofs: createProofStore(database),
    statements,
    sealKeys,
  });
  const published = async (): Promise<Published> => {
    const all: Published[] = [];
    for (let page: number | null = 0; page !== null; page = all.at(-1)?.next_page ?? null)
      all.push(JSON.parse(await seals.published(page)) as Published);
    return {
      tollgate: 'seals',
      version: 1,
      next_page: null,
      keys: all[0]?.keys ?? [],
      seals: all.flatMap((one) => one.seals),
    };
  };
  return {
    seals,
    sealStore,
    proofs,
    published,
    setTime: (ms: number): void => {
      nowMs = ms;
    },
    /** A month's file, and what its check says; `trusted` is the id of a known key. */
    async check(userId: number, month: string, trusted?: string) {
      const { pieces } = await proofs.statement({ userId, tokenId: 0, tag: '' }, month);
      let text = '';
      for await (const piece of pieces()) text += piece;
      const check = new StatementCheck(sealCrypto, checkPublished(sealCrypto, await published(), trusted));
      for (const line of text.trimEnd().split('\n')) check.line(line);
      return { text, ...check.report() };
    },
  };
};
