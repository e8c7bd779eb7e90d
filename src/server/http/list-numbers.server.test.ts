import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/api/endpoints.ts';
import type { Caller } from './testing/caller.ts';
import { openScene, type Scene } from './testing/scene.ts';
import { startPostgres } from '../store/testing/postgres-server.ts';

/** Every number in an address is read alike, by every call that lists or sums something. */

const NAMES = ['start_timestamp', 'end_timestamp', 'channel', 'channel_id', 'token_id', 'type'];
const shapeOf = (query: unknown): readonly string[] =>
  query instanceof z.ZodObject ? Object.keys(query.shape as object) : [];
const lists = endpoints
  .filter(
    ({ method, path, query }) => method === 'GET' && !path.includes(':') && query?.safeParse({}).success,
  )
  .flatMap(({ path, query }) =>
    shapeOf(query)
      .filter((name) => NAMES.includes(name))
      .map((name) => [path, name] as const),
  );

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let scene: Scene;
  let call: Caller;
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  beforeAll(async () => {
    postgres = engine === 'postgres' ? await startPostgres() : undefined;
    scene = await openScene(postgres === undefined ? {} : { DATABASE_URL: postgres.url });
    call = scene.asRoot;
  });
  afterAll(async () => {
    await scene.close();
    await postgres?.stop();
  });

  it('there are such calls', () => {
    expect(lists.length).toBeGreaterThan(20);
  });

  it.each(lists)('%s?%s', async (path, name) => {
    const statusOf = async (value: string) => {
      const got = await call(`${path}?${name}=${encodeURIComponent(value)}`);
      return [value, got.status, got.message.includes(name) || got.status === 200];
    };
    for (const none of ['', 'NaN', 'null', 'undefined', '0'])
      expect(await statusOf(none)).toEqual([none, 200, true]);
    for (const wrong of ['abc', '-1', '1.5', '1e400', 'Infinity', '99999999999999999999'])
      expect(await statusOf(wrong)).toEqual([wrong, 400, true]);
    const [, most] = await statusOf('9007199254740991');
    expect(most).toBeLessThan(500);
  });
});
