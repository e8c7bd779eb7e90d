import { join } from 'node:path';
import { spawnServer, type SpawnedServer } from '../spawn-server.ts';
import type { NextSignIn } from './server.ts';

export interface IdentityServer extends SpawnedServer {
  /** Sets who signs in next. */
  next(who: NextSignIn): Promise<void>;
}

/** Starts the fake identity services as a process, on any free port. */
export const startIdentityServer = async (): Promise<IdentityServer> => {
  const server = await spawnServer(join(import.meta.dirname, 'main.ts'), []);
  return {
    ...server,
    next: async (who) => {
      await fetch(`${server.url}/__identity/next`, { method: 'POST', body: JSON.stringify(who) });
    },
  };
};
