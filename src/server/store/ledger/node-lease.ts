import type { Clock } from '#core/clock.ts';
import type { Database, PostgresDatabase } from '../database/database.ts';

/** A node counts as dead after this many looks in a row at which its counter had not changed. */
export const LOOKS_UNTIL_DEAD = 4;

/** The list of running nodes. The ledger closes holds whose node is not on it. */
export const nodeList = ({ writer }: Pick<Database, 'writer'>, clock: Pick<Clock, 'now'>) => ({
  /** Counts from the current time, so that a node that returns after its removal never has its last counter again. */
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

/** This node's entry in the list of running nodes, and its checks of the others. */
export interface NodeLease {
  /** Relays beside this node: each counts as running as long as this node does, or until it leaves. */
  readonly relays: RelayList;
  /**
   * Reports that this node and its relays are running. False if another node had removed one; it is then added again.
   */
  beat(): Promise<boolean>;
  /** Removes the nodes whose counter has not changed for too long. @returns how many */
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
  /** How many looks in a row found the same counter. */
  readonly looks: number;
}

/**
 * Adds this node to the list. No clock decides who is dead: a node increases its counter, and the others count how
 * often they found it unchanged. So an unavailable database, a suspended watcher or differing clocks remove nobody. The
 * ledger closes the holds of removed nodes.
 */
export const takeLease = async (
  { writer, nodeId }: PostgresDatabase,
  clock: Pick<Clock, 'now'>,
): Promise<NodeLease> => {
  let seen = new Map<number, Seen>();
  const list = nodeList({ writer }, clock);
  const own = new Set([nodeId]);

  /** Looks once. If reading fails, earlier looks are discarded. */
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
        // The condition is repeated for the row itself: its counter may have changed since, or another node was faster.
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
