import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** What it printed on both streams, in order. */
  readonly output: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ended by force when it has printed nothing for this long, 20 minutes unless told: a busy machine only makes it slow. */
  readonly silentMs?: number;
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
