import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPlatformPackages, parseLock } from '../scripts/platform-packages.ts';

/** What a linter does not know about how this tree is kept. Sizes of files and functions are in .oxlintrc.json. */

const root = join(import.meta.dirname, '..');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));

const sources = files.filter((file) => /[.](ts|tsx)$/.test(file));
const linesOf = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n');

/** `file:line: text` for every line that breaks a rule. */
const offences = (among: readonly string[], breaks: (line: string) => boolean): string[] =>
  among.flatMap((file) =>
    linesOf(file).flatMap((line, index) => (breaks(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

/** The formatter holds code to 110; what it cannot break (a long string, a link) may reach this. */
const MAX_LINE = 140;

test('no line is too long to read', () => {
  const prose = 'src/simulator/answers.ts';
  expect(
    offences(
      sources.filter((file) => file !== prose),
      (line) => line.length > MAX_LINE,
    ),
  ).toEqual([]);
});

/** The linter counts the lines of code; style sheets are held to the same. */
const MAX_SHEET_LINES = 300;

test('no style sheet is longer than a file of code may be', () => {
  const sheets = files.filter((file) => file.endsWith('.css'));
  expect(sheets.filter((file) => linesOf(file).length - 1 > MAX_SHEET_LINES)).toEqual([]);
});

test('a file is named after what it exports, in kebab-case', () => {
  const vague = /^(utils?|helpers?|types?|common|misc|index)[.]tsx?$/;
  expect(sources.filter((file) => vague.test(basename(file)))).toEqual([]);
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*([.](test|worker|server|property|d|config))*[.]tsx?$/;
  expect(sources.filter((file) => !kebab.test(basename(file)))).toEqual([]);
});

test('no code sleeps in comments', () => {
  const code =
    /^\s*\/\/\s*((import|export|const|let|return|await|if|for|throw)\b.*[;{(]\s*$|[\w.]+\(.*\);\s*$|\}[;)]*\s*$)/;
  expect(offences(sources, (line) => code.test(line))).toEqual([]);
});

test('nothing is left for later in a comment', () => {
  const marks = /\b(TO[D]O|FIX[M]E|X[X]X)\b/;
  expect(offences(sources, (line) => marks.test(line))).toEqual([]);
});

test('ARCHITECTURE.md names every folder at the top, of the sources and of the server, and no other', () => {
  const [, map = ''] = /```\n([^`]*)```/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? [];
  const folders = new Set(
    files.flatMap((file) => {
      const top = /^(?:src\/server\/([^/]+)\/|src\/([^/]+)\/|([^/.][^/]*)\/)/.exec(file);
      return top === null ? [] : [top[1] ?? top[2] ?? top[3] ?? ''];
    }),
  );
  const named = [...map.matchAll(/^ *([\w-]+)\//gm)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual([...folders].toSorted());
});

test('every version is pinned and every production dependency has its reason', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const reasons = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  expect(Object.keys(manifest.dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(manifest.dependencies).length).toBeLessThan(40);
});

test('the lock file names packages, not the addresses they came from', () => {
  expect(offences(['package-lock.json'], (line) => line.includes('"resolved": "http'))).toEqual([]);
});

test('the lock file names the packages of every system, or npm ci refuses it', () => {
  const lock = parseLock(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(
    missingPlatformPackages(lock).map(({ name }) => `${name}: run node scripts/complete-lock.ts`),
  ).toEqual([]);
});
