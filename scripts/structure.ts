import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';

/** Prints figures of the sources' structure at some commits: `node scripts/structure.ts f1e708f HEAD`. docs/structure.md has the table. */

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
    .split('\n')
    .filter((line) => line !== '');

/** Like git, whose search has status 1 if it finds nothing. */
const found = (pattern: string, commit: string, ...where: readonly string[]): string[] => {
  try {
    return git('grep', '-nE', pattern, commit, '--', ...where).map((line) => line.slice(commit.length + 1));
  } catch {
    return [];
  }
};

const FOR_TESTS = /[.]test[.]tsx?:|[.]test[.]tsx?$|\/testing\//;
const COMMENT = /:\d+: *(?:[/]{2}|[/]?[*])/;
const ours = (lines: readonly string[]): string[] => lines.filter((line) => !FOR_TESTS.test(line));

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** What each file of the product below `src/` imports, types included. */
const importsAt = (commit: string): Imports => {
  const imports = new Map<string, Set<string>>();
  for (const line of ours(found("from '[.#][^']+';$", commit, 'src/*.ts', 'src/*.tsx'))) {
    const [, file = '', from = ''] = /^([^:]+):.* from '([^']+)';$/.exec(line) ?? [];
    const target = from.startsWith('.')
      ? join(dirname(file), from)
      : from.replace('#contract/', 'src/contract/').replace('#core/', 'src/server/core/');
    imports.set(file, (imports.get(file) ?? new Set()).add(target));
  }
  return imports;
};

/** Groups of files that import each other in a circle, by Tarjan's algorithm. */
const circlesIn = (imports: Imports): string[][] => {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.size - 1);
    open.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
};

/** The longest chain of folders of a part in which each imports the next; files beside the folders do not count. */
const floorsIn = (imports: Imports, part: string): number => {
  const folderOf = (file: string): string | undefined =>
    file.startsWith(part) && file.slice(part.length).includes('/')
      ? file.slice(part.length).replace(/[/].*/, '')
      : undefined;
  const below = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const folder = folderOf(file);
    if (folder === undefined) continue;
    const known = below.get(folder) ?? new Set();
    for (const target of [...targets].map(folderOf))
      if (target !== undefined && target !== folder) known.add(target);
    below.set(folder, known);
  }
  const heightOf = (folder: string, above: readonly string[]): number =>
    1 +
    Math.max(
      0,
      ...[...(below.get(folder) ?? [])]
        .filter((next) => !above.includes(next))
        .map((next) => heightOf(next, [...above, folder])),
    );
  return Math.max(0, ...[...below.keys()].map((folder) => heightOf(folder, [])));
};

const sizeOf = (commit: string, part: string): string => {
  const files = ours(git('ls-tree', '-r', '--name-only', commit, part)).filter((file) =>
    file.endsWith('.ts'),
  );
  const lines = files.reduce((sum, file) => sum + git('show', `${commit}:${file}`).length, 0);
  return `${files.length} files, ${lines} lines`;
};

const figuresOf = (commit: string): Readonly<Record<string, string | number>> => {
  const imports = importsAt(commit);
  const circles = circlesIn(imports);
  const casts = (pattern: string): number =>
    ours(found(pattern, commit, 'src/*.ts', 'src/*.tsx')).filter((line) => !COMMENT.test(line)).length;
  return {
    relay: sizeOf(commit, 'src/server/relay/'),
    providers: sizeOf(commit, 'src/server/providers/'),
    circles: circles.length,
    'files in circles': circles.flat().length,
    'floors of the relay': floorsIn(imports, 'src/server/relay/'),
    'as unknown as': casts('\\bas unknown as\\b'),
    'as never': casts('\\bas never\\b'),
    'files that retry': new Set(
      ours(found('\\bRetryTimes\\b', commit, 'src/server/relay/*.ts')).map((line) => line.replace(/:.*/, '')),
    ).size,
  };
};

const commits = process.argv.slice(2);
for (const commit of commits.length > 0 ? commits : ['HEAD']) console.log(commit, figuresOf(commit));
