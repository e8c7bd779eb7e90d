import type { PoolClient } from 'pg';
import type { LogEntry } from '#core/ledger/book.ts';
import { storable } from '../storable.ts';

const NAMES_KEPT = 50_000;

/** The ids of the names in one batch; 0 is the empty name. */
export interface BatchNames {
  idOf(name: string): number;
  /** Caches the ids for later batches. Call it only after the commit, because the batch inserts new names. */
  remember(): void;
}

/** Looks up the ids of a batch's names, and inserts new names in its transaction. */
export type NameBook = (client: PoolClient, logs: readonly LogEntry[]) => Promise<BatchNames>;

const learn = async (client: PoolClient, names: readonly string[]): Promise<[string, number][]> => {
  await client.query('INSERT INTO names (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [names]);
  const query = 'SELECT id, name FROM names WHERE name = ANY($1::text[])';
  const { rows } = await client.query<{ id: number; name: string }>(query, [names]);
  return rows.map(({ id, name }) => [name, id]);
};

/** Caches the ids of names, but only after the transaction that inserted them has committed. */
export const createNameBook = (): NameBook => {
  const known = new Map<string, number>();
  return async (client, logs) => {
    const names = new Set(
      logs.flatMap(({ log }) => [log.username, log.tokenName, log.model, log.group, log.program ?? '']),
    );
    const unknown = [...names].filter((name) => name !== '' && !known.has(name));
    const fresh = new Map(
      unknown.length === 0 ? [] : await learn(client, [...new Set(unknown.map(storable))].sort()),
    );
    const here = new Map(
      [...names].map((name) => [name, name === '' ? 0 : (known.get(name) ?? fresh.get(storable(name)))]),
    );
    return {
      idOf: (name) => {
        const id = here.get(name);
        if (id === undefined) throw new Error(`the name ${name} has no id`);
        return id;
      },
      remember: () => {
        if (known.size >= NAMES_KEPT) known.clear();
        for (const [name, id] of fresh) known.set(name, id);
      },
    };
  };
};
