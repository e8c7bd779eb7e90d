import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** Its output on both streams, in order. */
  readonly output: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Killed after printing nothing for this long; default 20 minutes, so that a busy machine is no failure. */
  readonly silentMs?: number;
}

/** Runs a program in the project's folder, with `node_modules/.bin` first on the path, and waits for it to exit. */
export const runCommand = (
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: {
        ...process.env,
        PATH: `${projectRoot}/node_modules/.bin:${process.env['PATH']}`,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: string[] = [];
    const silentMs = options.silentMs ?? DEFAULT_SILENT_MS;
    const timer = setTimeout(() => {
      parts.push(`\nended by force: it printed nothing for ${silentMs} ms\n`);
      child.kill('SIGKILL');
    }, silentMs);
    const keep = (part: Buffer): void => {
      parts.push(part.toString());
      timer.refresh();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const finish = (code: number): void => {
      clearTimeout(timer);
      resolve({ code, output: parts.join('') });
    };
    child.on('error', (error) => {
      parts.push(`${error.message}\n`);
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });

export const projectRoot = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

const DEFAULT_SILENT_MS = 1_200_000;
