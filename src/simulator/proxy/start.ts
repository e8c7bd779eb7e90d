import { join } from 'node:path';
import { spawnServer } from '../spawn-server.ts';
import type { Carried, ProxyFault } from './proxy-state.ts';

export interface RunningProxy {
  /** `127.0.0.1:1080` */
  readonly host: string;
  /** Changes its behaviour and clears its records. */
  set(changes: { fault?: ProxyFault; password?: string; name?: string; to?: string }): Promise<void>;
  /** Every connection it was asked for. */
  carried(): Promise<readonly Carried[]>;
  stop(): Promise<void>;
}

/** Starts the proxy as a process. If it has a password, the user is `operator`. */
export const startProxy = async (): Promise<RunningProxy> => {
  const { url, stop } = await spawnServer(join(import.meta.dirname, 'main.ts'), []);
  const ask = async (path: string): Promise<readonly Carried[]> =>
    (await (await fetch(url + path)).json()) as readonly Carried[];
  return {
    host: new URL(url).host,
    set: async (changes) => void (await ask(`/set?${new URLSearchParams(changes).toString()}`)),
    carried: () => ask('/carried'),
    stop,
  };
};
