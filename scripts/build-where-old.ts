import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runCommand } from './run-command.ts';

/** A part of the program that must be built before use. */
interface Built {
  readonly name: string;
  /** The output of the build. */
  readonly file: string;
  readonly sources: readonly string[];
  readonly build: readonly string[];
}

const shared = ['src/contract', 'package-lock.json'];

export const builtConsole: Built = {
  name: 'console',
  file: 'dist/console/index.html',
  sources: ['src/console', 'vite.config.ts', 'scripts/lean-icons.ts', ...shared],
  build: ['build'],
};

export const builtServer: Built = {
  name: 'server',
  file: 'dist/server/main.js',
  sources: ['src/server', 'vite.server.config.ts', ...shared],
  build: ['build', '--config', 'vite.server.config.ts'],
};

const newestMs = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const times = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(found.mtimeMs, ...times);
};

const isBuilt = async ({ file, sources }: Built): Promise<boolean> => {
  const path = join(projectRoot, file);
  if (!existsSync(path)) return false;
  const times = await Promise.all(sources.map((source) => newestMs(join(projectRoot, source))));
  return Math.max(...times) <= (await stat(path)).mtimeMs;
};

/** Builds what is missing or older than its sources. */
export const buildWhereOld = async (built: Built): Promise<void> => {
  if (await isBuilt(built)) return;
  console.log(`Building the ${built.name}, once ...`);
  const { code, output } = await runCommand('vite', built.build);
  if (code === 0) return;
  console.error(output);
  throw new Error(`the ${built.name} could not be built`);
};
