import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JournalReport } from './journal.ts';

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
  const args = [
    join(import.meta.dirname, 'main.ts'),
    '--port',
    String(port),
    '--speed',
    String(speed),
    '--with-parent',
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the simulator ended with ${String(code)}`)),
    ),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  const ask = async (what: string): Promise<JournalReport> =>
    (await (await fetch(`${url}/__simulator/${what}`)).json()) as JournalReport;
  return {
    url,
    calls: () => ask('calls'),
    reset: async () => void (await ask('reset')),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};
