import type { Sighting, SightingStore } from '#core/channel/health/sighting.ts';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const AT_ONCE = 100;

const recordOf = (sighting: Sighting) => ({
  channel_id: sighting.channelId,
  group_name: sighting.group,
  client_type: sighting.clientType,
  seen_count: sighting.count,
  first_seen_at: sighting.firstSeenMs,
  last_seen_at: sighting.lastSeenMs,
});

/** Stores which clients called through which channel. */
export const createSightingStore = (database: Database): SightingStore => ({
  async add(sightings) {
    for (let at = 0; at < sightings.length; at += AT_ONCE) {
      await database.writer
        .insertInto('channel_sightings')
        .values(sightings.slice(at, at + AT_ONCE).map(recordOf))
        .onConflict((conflict) =>
          conflict.columns(['channel_id', 'group_name', 'client_type']).doUpdateSet((is) => ({
            seen_count: sql<number>`${is.ref('channel_sightings.seen_count')} + ${is.ref('excluded.seen_count')}`,
            last_seen_at: is.ref('excluded.last_seen_at'),
          })),
        )
        .execute();
    }
  },
  ofChannel: async (channelId) =>
    (
      await database.reader
        .selectFrom('channel_sightings')
        .selectAll()
        .where('channel_id', '=', channelId)
        .execute()
    ).map((record) => ({
      channelId: record.channel_id,
      group: record.group_name,
      clientType: record.client_type,
      count: record.seen_count,
      firstSeenMs: record.first_seen_at,
      lastSeenMs: record.last_seen_at,
    })),
  async deleteOrphans() {
    await database.writer
      .deleteFrom('channel_sightings')
      .where('channel_id', 'not in', (is) => is.selectFrom('channels').select('id'))
      .execute();
  },
});
