import { join } from 'node:path';
import type { JournalReport } from './journal.ts';
import { spawnServer } from './spawn-server.ts';

export interface RunningSimulator {
  /** Without a slash at the end. */
  readonly url: string;
  /** What arrived so far. */
  calls(): Promise<JournalReport>;
  /** Forgets what arrived. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the fake upstream as a process of its own, on any free port. It ends with this process at the latest. */
export const startSimulator = async ({ speed = 0, port = 0 } = {}): Promise<RunningSimulator> => {
  const args = ['--port', String(port), '--speed', String(speed)];
  const { url, stop } = await spawnServer(join(import.meta.dirname, 'main.ts'), args);
  const ask = async (what: string): Promise<JournalReport> =>
    (await (await fetch(`${url}/__simulator/${what}`)).json()) as JournalReport;
  return {
    url,
    calls: () => ask('calls'),
    reset: async () => void (await ask('reset')),
    stop,
  };
};
