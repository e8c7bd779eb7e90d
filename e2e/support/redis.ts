import { existsSync } from 'node:fs';
import { redisPlaces } from '../../src/server/limits/testing/redis-server.ts';
import { installPackages } from './debian-package.ts';

/** Installs Debian's Redis, if there is none yet and this process may install it. @returns the reason if there is still none */
export const installRedis = (): string | undefined => {
  if (redisPlaces.some((path) => existsSync(path))) return undefined;
  const problem = installPackages(['redis-server'], ['valkey-server']);
  return problem === undefined ? undefined : `no Redis is installed: ${problem}`;
};
