import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const TIMEOUT_MS = 90_000;
const STOP_MS = 5000;

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

type Texts = Readonly<Record<string, string>>;

/**
 * Runs a command line without a terminal in an empty home of its own, with one file in its working folder and `files`
 * under its home. Everything is deleted afterwards.
 */
export const runCommandLine = (args: readonly string[], env: Texts, files: Texts = {}): Promise<Ran> =>
  runAtHome([process.execPath, ...args], env, files);

/** Runs a program that needs no Node in such a home. */
export const runProgram = (words: readonly string[], env: Texts, files: Texts = {}): Promise<Ran> =>
  runAtHome(words, env, files);

/** Runs lines of a shell in such a home, with the programs that are installed here. */
export const runLines = (lines: string, files: Texts = {}): Promise<Ran> => {
  const path = `${join(import.meta.dirname, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  return runAtHome(['bash', '-ec', lines], { PATH: path }, files);
};

/** An empty home with one file in its working folder, and `files` under it. */
const makeHome = async (files: Texts) => {
  const home = await mkdtemp(join(homedir(), '.tollgate-client-'));
  const cwd = join(home, 'work');
  await mkdir(cwd);
  await writeFile(join(cwd, 'notes.txt'), 'one file\n');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  return { home, cwd, remove: () => rm(home, { recursive: true, force: true }) };
};

const runAtHome = async (words: readonly string[], env: Texts, files: Texts): Promise<Ran> => {
  const { home, cwd, remove } = await makeHome(files);
  try {
    return await run(words, { HOME: home, ...env }, cwd);
  } finally {
    await remove();
  }
};

/** A program that goes on until it is stopped, and is spoken to by lines of JSON. */
export interface Talking {
  send(message: object): void;
  /** What it has said so far. */
  readonly heard: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** Starts a program of Node in such a home, to be talked to. */
export const startTalking = async (args: readonly string[], env: Texts, files: Texts): Promise<Talking> => {
  const { home, cwd, remove } = await makeHome(files);
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', NO_PROXY: '127.0.0.1', HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const heard: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) heard.push(JSON.parse(line) as Record<string, unknown>);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    heard,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
      await remove();
    },
  };
};

const run = ([program = '', ...args]: readonly string[], env: Texts, cwd: string): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', NO_PROXY: '127.0.0.1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => void parts.push(part));
    child.stderr.on('data', (part: Buffer) => void parts.push(part));
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(parts).toString() });
    });
  });
