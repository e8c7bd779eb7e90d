import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const TIMEOUT_MS = 90_000;

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

const runAtHome = async (words: readonly string[], env: Texts, files: Texts): Promise<Ran> => {
  const home = await mkdtemp(join(homedir(), '.tollgate-client-'));
  const cwd = join(home, 'work');
  await mkdir(cwd);
  await writeFile(join(cwd, 'notes.txt'), 'one file\n');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  try {
    return await run(words, { HOME: home, ...env }, cwd);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
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
