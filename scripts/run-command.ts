import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** What it printed on both streams, in order. */
  readonly output: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ended by force after this long; 20 minutes unless told. */
  readonly timeoutMs?: number;
}

/** Runs a program of the project (`node_modules/.bin` comes first) in the project's folder and waits for its end. */
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
    const keep = (part: Buffer): number => parts.push(part.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => {
      parts.push(`\nended by force: it ran for more than ${options.timeoutMs ?? DEFAULT_TIMEOUT_MS} ms\n`);
      child.kill('SIGKILL');
    }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
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

const DEFAULT_TIMEOUT_MS = 1_200_000;
