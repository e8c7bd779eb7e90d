import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../testing/scene.ts';

/** What the dashboard asks for has an end, however much there is. */

const CHANNELS = 200;
const HOURS = 101;
let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
  const { writer } = scene.server.parts.stores.database;
  await sql`WITH RECURSIVE c(channel) AS (SELECT 1 UNION ALL SELECT channel + 1 FROM c WHERE channel < ${CHANNELS}),
      h(hour) AS (SELECT 1 UNION ALL SELECT hour + 1 FROM h WHERE hour < ${HOURS})
    INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
      prompt_tokens, completion_tokens, log_rows, log_quota)
    SELECT hour, 2, 1, 1, 1, 1, channel, 1, 3, 1, 1, 1, 1, 1 FROM c, h`.execute(writer);
});
afterAll(() => scene.close());

it('hours of very many channels are refused with advice; named channels and shorter spans are answered', async () => {
  const all = await scene.asRoot('/api/data/channel');
  expect(all).toMatchObject({ success: false, data: null });
  expect(all.message).toContain('ids');
  const named = await scene.asRoot('/api/data/channel?ids=7,8');
  expect(named.data).toHaveLength(2 * HOURS);
  const shorter = await scene.asRoot(`/api/data/channel?start_timestamp=${2 * 3600}`);
  expect(shorter.data).toHaveLength(CHANNELS * (HOURS - 1));
});
