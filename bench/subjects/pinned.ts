import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** The subject runs alone on core 0; upstream and load share core 1. */
export type Core = 0 | 1;

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly stop: () => Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Receives its output; without it, the output is dropped. */
  readonly onOutput?: (text: string) => void;
}

/** Starts a program that may run on one core only. `taskset` replaces itself, so the pid is the program's. */
export const startPinned = (
  core: Core,
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Running => {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => options.onOutput?.(part.toString()));
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid ?? -1,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(force);
    },
  };
};

/** Waits for a pinned program to end and returns its output; throws if it failed. */
export const outputOf = (core: Core, command: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: string[] = [];
    const { child } = startPinned(core, command, args, { onOutput: (text) => parts.push(text) });
    child.once('close', (code) =>
      code === 0
        ? resolve(parts.join(''))
        : reject(new Error(`${command} ended with ${code}: ${parts.join('')}`)),
    );
  });

export const until = async (
  what: string,
  ready: () => Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> => {
  const startMs = performance.now();
  while (!(await ready())) {
    if (performance.now() - startMs > timeoutMs) throw new Error(`${what} took longer than ${timeoutMs} ms`);
    await pause(20);
  }
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });

/** Processor time of a process with all its threads, microseconds. /proc counts in hundredths of a second. */
export const cpuMicros = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

/** Resident memory, megabytes. */
export const residentMegabytes = (pid: number): number => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
};

/** Calls `measure` repeatedly until `work` is done; returns the highest value. */
export const highestDuring = async <Result>(
  measure: () => number,
  work: Promise<Result>,
): Promise<{ readonly highest: number; readonly result: Result }> => {
  let highest = measure();
  const timer = setInterval(() => (highest = Math.max(highest, measure())), 200);
  try {
    const result = await work;
    return { result, highest };
  } finally {
    clearInterval(timer);
  }
};
