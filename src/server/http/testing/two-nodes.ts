import { readConfig } from '../../config.ts';
import { startRedis } from '../../limits/testing/redis-server.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';
import { type Caller, createCaller } from './caller.ts';
import { openScene, type Scene } from './scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from './test-config.ts';

/** Two nodes on one PostgreSQL. */
export interface TwoNodes {
  readonly here: Scene;
  readonly there: RunningServer;
  /** The same root, at the other node. */
  readonly asRootThere: Caller;
  close(): Promise<void>;
}

/** Starts both nodes, which exchange news by the database or by Redis. The second starts once the first is prepared. */
export const openTwoNodes = async (
  newsBy: 'PostgreSQL' | 'Redis',
  prepare: (here: Scene) => Promise<void>,
): Promise<TwoNodes> => {
  const folder = temporaryFolder();
  const [postgres, redis] = await Promise.all([
    startPostgres(),
    newsBy === 'Redis' ? startRedis() : undefined,
  ]);
  const environment = {
    DATABASE_URL: postgres.url,
    TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
    ...(redis !== undefined && { REDIS_URL: redis.url }),
  };
  const here = await openScene(environment);
  await prepare(here);
  const there = await startServer(readConfig({ ...testEnvironment(folder.path), ...environment }), {
    log: keptLog(),
  });
  return {
    here,
    there,
    asRootThere: createCaller(there.url, await here.stage.session(here.root)),
    async close() {
      await here.close();
      await there.stop();
      redis?.stop();
      await postgres.stop();
      folder.remove();
    },
  };
};
