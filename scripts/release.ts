import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { builtConsole, builtServer, buildWhereOld } from './build-where-old.ts';
import { projectRoot, runCommand } from './run-command.ts';

/**
 * `npm run release -- [folder]`: makes one tarball of the built server and console, by default in `dist`.
 * It needs no other package: `npm install -g tollgate-….tgz` installs the command `tollgate`.
 */
const target = resolve(process.argv[2] ?? join(projectRoot, 'dist'));
const shipped = ['bin', 'dist/server', 'dist/console', 'docs/configuration.md', 'README.md', 'LICENSE'];

const manifest = z
  .object({ name: z.string(), version: z.string(), description: z.string(), license: z.string() })
  .parse(JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')));

await buildWhereOld(builtConsole);
await buildWhereOld(builtServer);
await mkdir(target, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'tollgate-release-'));
try {
  for (const path of shipped) await cp(join(projectRoot, path), join(folder, path), { recursive: true });
  const released = {
    ...manifest,
    type: 'module',
    bin: { tollgate: 'bin/tollgate.cjs' },
    engines: { node: '>=26' },
    files: ['bin', 'dist', 'docs'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(released, null, 2));
  const { code, output } = await runCommand('npm', [
    'pack',
    '--silent',
    folder,
    '--pack-destination',
    target,
  ]);
  if (code !== 0) throw new Error(output);
  console.log(join(target, output.trim().split('\n').at(-1) ?? ''));
} finally {
  await rm(folder, { recursive: true });
}
