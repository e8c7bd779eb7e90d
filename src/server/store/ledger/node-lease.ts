import type { Clock } from '#core/clock.ts';
import type { PostgresDatabase } from '../database/database.ts';

/** So many looks in a row must find a node where it was before it counts as dead. */
export const LOOKS_UNTIL_DEAD = 4;

/** This node's place in the list of those that live, and an eye on the others'. */
export interface NodeLease {
  /** Says that this node lives. False where the others had struck it off meanwhile; it is in the list again then. */
  beat(): Promise<boolean>;
  /** Strikes off the nodes that have not moved for so long that they are dead. @returns how many */
  strikeDead(): Promise<number>;
  leave(): Promise<void>;
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

  /** Counts from the time on, so that one who is back after it was struck off never stands where it was last seen. */
  const enter = async (): Promise<void> => {
    await writer
      .insertInto('nodes')
      .values({ id: nodeId, beats: clock.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  };

  /** Looks once. What it cannot read counts for nothing: the looks before are forgotten. */
  const look = async (): Promise<Map<number, Seen>> => {
    const before = seen;
    seen = new Map();
    const rows = await writer.selectFrom('nodes').select(['id', 'beats']).where('id', '<>', nodeId).execute();
    return new Map(
      rows.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, looks: last?.beats === beats ? last.looks + 1 : 0 }];
      }),
    );
  };

  await enter();
  return {
    async beat() {
      const { numUpdatedRows } = await writer
        .updateTable('nodes')
        .set((is) => ({ beats: is('beats', '+', 1) }))
        .where('id', '=', nodeId)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return true;
      await enter();
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
    async leave() {
      await writer.deleteFrom('nodes').where('id', '=', nodeId).execute();
    },
  };
};
