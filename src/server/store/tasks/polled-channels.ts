import type { TaskStore } from '#core/task/task.ts';
import type { Database } from '../database/database.ts';

/** Which node asks a channel about its tasks. SQLite has one node. */
export const polledChannels = (database: Database): Pick<TaskStore, 'takeChannel' | 'giveBackChannel'> => {
  if (database.engine === 'sqlite')
    return { takeChannel: async () => true, giveBackChannel: async () => undefined };
  const { nodeId, writer } = database;
  return {
    async takeChannel(channelId) {
      const { numInsertedOrUpdatedRows: taken = 0n } = await writer
        .insertInto('polled_channels')
        .values({ channel_id: channelId, node_id: nodeId })
        .onConflict((conflict) =>
          conflict
            .column('channel_id')
            .doUpdateSet({ node_id: nodeId })
            .where(({ eb, or, not, exists, selectFrom }) =>
              or([
                eb('polled_channels.node_id', '=', nodeId),
                not(
                  exists(
                    selectFrom('nodes').select('id').whereRef('nodes.id', '=', 'polled_channels.node_id'),
                  ),
                ),
              ]),
            ),
        )
        .executeTakeFirstOrThrow();
      return taken > 0n;
    },
    async giveBackChannel(channelId) {
      await writer
        .deleteFrom('polled_channels')
        .where('channel_id', '=', channelId)
        .where('node_id', '=', nodeId)
        .execute();
    },
  };
};
