import { spawn, type ChildProcess } from 'node:child_process';

export interface Program {
  readonly pid: number;
  /** Everything it printed so far, on both streams. */
  output(): string;
  /** Waits for the first match of a pattern in its output; rejects if it exits or prints nothing for too long. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Nobody reads any more what it prints. */
  stopReading(): void;
  /** Sends a signal and waits for the exit. @returns the exit code, or the name of the signal that ended it */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>;
}

export const projectRoot = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

const FORCE_AFTER_MS = 70_000;

/** Starts a program of the project in its own process, as users do. */
export const startProgram = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program => {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, PATH: `${projectRoot}/node_modules/.bin:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => parts.push(part.toString()));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    child.once('error', (error) => resolve(error.message));
  });
  const output = (): string => parts.join('');
  return {
    pid: child.pid ?? -1,
    output,
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    printed: (pattern, timeoutMs = 60_000) => waitFor(child, output, pattern, timeoutMs),
    end: async (signal) => {
      child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), FORCE_AFTER_MS);
      const how = await ended;
      clearTimeout(force);
      return how;
    },
  };
};

const waitFor = async (
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
  timeoutMs: number,
): Promise<RegExpExecArray> => {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const found = pattern.exec(output());
    if (found !== null) return found;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`ended before it printed ${pattern}:\n${output()}`);
    }
    if (performance.now() > deadlineMs)
      throw new Error(`did not print ${pattern} in ${timeoutMs} ms:\n${output()}`);
    await pause(10);
  }
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
