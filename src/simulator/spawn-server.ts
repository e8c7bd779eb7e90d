import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface SpawnedServer {
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a file that prints one line of JSON with its `url` when it listens. It ends with this process at the latest. */
export const spawnServer = async (file: string, args: readonly string[]): Promise<SpawnedServer> => {
  const child = spawn(process.execPath, [file, ...args, '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the simulator ended with ${String(code)}`)),
    ),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};
