import type { PoolClient } from 'pg';
import type { LogEntry } from '#core/ledger/book.ts';

const NAMES_KEPT = 50_000;

/** The names of one batch as their small numbers; 0 is the empty name. */
export interface BatchNames {
  idOf(name: string): number;
  /** Remembers the numbers for later batches: only once this one is committed, because new names are part of it. */
  remember(): void;
}

/** Looks up the names of a batch, making those that are new in its transaction. */
export type NameBook = (client: PoolClient, logs: readonly LogEntry[]) => Promise<BatchNames>;

const learn = async (client: PoolClient, names: readonly string[]): Promise<[string, number][]> => {
  await client.query('INSERT INTO names (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [names]);
  const query = 'SELECT id, name FROM names WHERE name = ANY($1::text[])';
  const { rows } = await client.query<{ id: number; name: string }>(query, [names]);
  return rows.map(({ id, name }) => [name, id]);
};

/** Names this process has seen are not asked for again; one is only remembered once its transaction is committed. */
export const createNameBook = (): NameBook => {
  const known = new Map<string, number>();
  return async (client, logs) => {
    const names = new Set(logs.flatMap(({ log }) => [log.username, log.tokenName, log.model, log.group]));
    const unknown = [...names].filter((name) => name !== '' && !known.has(name)).sort();
    const fresh = new Map(unknown.length === 0 ? [] : await learn(client, unknown));
    const here = new Map(
      [...names].map((name) => [name, name === '' ? 0 : (known.get(name) ?? fresh.get(name))]),
    );
    return {
      idOf: (name) => {
        const id = here.get(name);
        if (id === undefined) throw new Error(`the name ${name} was not learnt`);
        return id;
      },
      remember: () => {
        if (known.size >= NAMES_KEPT) known.clear();
        for (const [name, id] of fresh) known.set(name, id);
      },
    };
  };
};
