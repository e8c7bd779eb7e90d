import type { Clock } from '#core/clock.ts';
import type { Database, PostgresDatabase } from '../database/database.ts';

/** So many looks in a row must find a node where it was before it counts as dead. */
export const LOOKS_UNTIL_DEAD = 4;

/** The list of those that live. A hold whose id of a node is not in it is the ledger's to resolve. */
export const nodeList = ({ writer }: Pick<Database, 'writer'>, clock: Pick<Clock, 'now'>) => ({
  /** Counts from the time on, so that one who is back after it was struck off never stands where it was last seen. */
  async enter(ids: readonly number[]): Promise<void> {
    const beats = clock.now();
    await writer
      .insertInto('nodes')
      .values(ids.map((id) => ({ id, beats })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },
  async leave(ids: readonly number[]): Promise<void> {
    await writer.deleteFrom('nodes').where('id', 'in', ids).execute();
  },
});

/** This node's place in the list of those that live, and an eye on the others'. */
export interface NodeLease {
  /** A relay beside this node: it lives as long as this node does, or until it leaves. */
  readonly relays: RelayList;
  /** Says that this node and its relays live. False where others had struck one off; it is in the list again then. */
  beat(): Promise<boolean>;
  /** Strikes off the nodes that have not moved for so long that they are dead. @returns how many */
  strikeDead(): Promise<number>;
  leave(): Promise<void>;
}

/** The relays that run beside a node, by the ids of their holds. */
export interface RelayList {
  enter(id: number): Promise<void>;
  leave(id: number): Promise<void>;
}

interface Seen {
  readonly beats: number;
  /** How many looks in a row found the same number. */
  readonly looks: number;
}

/**
 * Puts this node on the list. Nobody's clock decides who is dead: a node counts up, and the others count their own looks
 * that found it unmoved. So a database that was away, a watcher that was suspended, or clocks that differ strike nobody
 * off. Holds of a node that is off the list are the ledger's to resolve.
 */
export const takeLease = async (
  { writer, nodeId }: PostgresDatabase,
  clock: Pick<Clock, 'now'>,
): Promise<NodeLease> => {
  let seen = new Map<number, Seen>();
  const list = nodeList({ writer }, clock);
  const own = new Set([nodeId]);

  /** Looks once. What it cannot read counts for nothing: the looks before are forgotten. */
  const look = async (): Promise<Map<number, Seen>> => {
    const before = seen;
    seen = new Map();
    const rows = await writer
      .selectFrom('nodes')
      .select(['id', 'beats'])
      .where('id', 'not in', [...own])
      .execute();
    return new Map(
      rows.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, looks: last?.beats === beats ? last.looks + 1 : 0 }];
      }),
    );
  };

  await list.enter([nodeId]);
  return {
    relays: {
      async enter(id) {
        await list.enter([id]);
        own.add(id);
      },
      async leave(id) {
        own.delete(id);
        await list.leave([id]);
      },
    },
    async beat() {
      const ids = [...own];
      const { numUpdatedRows } = await writer
        .updateTable('nodes')
        .set((is) => ({ beats: is('beats', '+', 1) }))
        .where('id', 'in', ids)
        .executeTakeFirst();
      if (Number(numUpdatedRows) === ids.length) return true;
      await list.enter(ids.filter((id) => own.has(id)));
      return false;
    },
    async strikeDead() {
      seen = await look();
      const dead = [...seen].filter(([, { looks }]) => looks >= LOOKS_UNTIL_DEAD);
      let struck = 0;
      for (const [id, { beats }] of dead) {
        // Said again for the row itself: it may have moved since, or another node was quicker.
        const { numDeletedRows } = await writer
          .deleteFrom('nodes')
          .where('id', '=', id)
          .where('beats', '=', beats)
          .executeTakeFirst();
        struck += Number(numDeletedRows);
      }
      return struck;
    },
    leave: () => list.leave([...own]),
  };
};
