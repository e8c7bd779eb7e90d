import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const linesOf = (file: string): string[] => textOf(file).split('\n');

/** `file:line: text` for every line that breaks a rule. */
const offences = (among: readonly string[], breaks: (line: string) => boolean): string[] =>
  among.flatMap((file) =>
    linesOf(file).flatMap((line, index) => (breaks(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

/** The formatter holds code to 110; what it cannot break (a long string, a link) may reach this. */
const MAX_LINE = 140;

test('no line is too long to read', () => {
  const prose = 'src/simulator/chats/answers.ts';
  expect(
    offences(
      sources.filter((file) => file !== prose),
      (line) => line.length > MAX_LINE,
    ),
  ).toEqual([]);
});

/** Parts that are a page of their own, or of a page that may load nothing more, and those that have a substitute. */
const LAZY = [
  'src/console/features/about/about-page.tsx',
  'src/console/features/home/home-page.tsx',
  'src/console/features/kit/kit-page.tsx',
  'src/console/features/login/login-form.tsx',
  'src/console/features/login/login-page.tsx',
  'src/console/features/settings/personal/personal-tab.tsx',
  'src/console/features/settings/settings-page.tsx',
  'src/console/kit/dialogs/dialog-host.tsx',
  'src/console/kit/fields/json-field.tsx',
  'src/console/kit/fields/later-select-field.tsx',
  'src/console/kit/late-section.tsx',
  'src/console/kit/late.tsx',
  'src/console/kit/lazy-generic.ts',
  'src/console/kit/states.tsx',
  'src/console/shell/frames/either-frame.tsx',
  'src/console/shell/frames/footer.tsx',
  'src/console/shell/frames/front-frame.tsx',
  'src/console/shell/new-year/new-year-entry.tsx',
];

test('what opens above a page, or is a part of it, is loaded by `late`: without it the page is replaced', () => {
  const usesLazy = (file: string): boolean => /import [^;]*\blazy\b[^;]* from 'react'/.test(textOf(file));
  expect(sources.filter((file) => file.startsWith('src/console/') && usesLazy(file))).toEqual(LAZY);
});

/** The linter counts the lines of code; style sheets are held to the same. */
const MAX_SHEET_LINES = 300;

test('no style sheet is longer than a file of code may be', () => {
  const sheets = files.filter((file) => file.endsWith('.css'));
  expect(sheets.filter((file) => linesOf(file).length - 1 > MAX_SHEET_LINES)).toEqual([]);
});

/** A row or cell of a table's body that is told by what stands before it, as `tr + tr` is. */
const AFTER_ANOTHER = /(?:^|[\s>(,])(?:tr|td|tbody)(?:[.:[][^\s{]*)?\s*[+~]/;

/**
 * Once such a rule has applied anywhere on a page, a row that is put into any of its tables has all rows after it styled and
 * laid out anew: with a hundred rows 70 ms instead of 1.
 */
test('no row of a table is styled by what stands before it', () => {
  expect(
    ['.a tbody tr + tr td', 'td ~ td', '.a tr:not(:first-child) td'].map((one) => AFTER_ANOTHER.test(one)),
  ).toEqual([true, true, false]);
  const sheets = files.filter((file) => file.endsWith('.css'));
  expect(offences(sheets, (line) => line.endsWith('{') && AFTER_ANOTHER.test(line))).toEqual([]);
});

/** Who imports a file, types included; tests and what is made for them do not count. A worker or a lazy load is no import. */
const importersOf = (): ReadonlyMap<string, readonly string[]> => {
  const importers = new Map<string, string[]>();
  const forTests = /[.]test[.]tsx?$|\/testing\/|^(e2e|bench)\//;
  for (const file of sources.filter((source) => !forTests.test(source)))
    for (const [, from = ''] of textOf(file).matchAll(/^(?:import|export|\}).*? from '([.#][^']+)';$/gm)) {
      const target = from.startsWith('.')
        ? join(dirname(file), from)
        : from.replace('#contract/', 'src/contract/').replace('#core/', 'src/server/core/');
      const known = importers.get(target) ?? [];
      if (!known.includes(file)) importers.set(target, [...known, file]);
    }
  return importers;
};

/** What is loaded apart from its importer: workers, and chunks of the console that come later. */
const loadedApart = (): ReadonlySet<string> =>
  new Set(
    sources.flatMap((file) =>
      [...textOf(file).matchAll(/(?:\bimport|new URL)\(\s*'([.][^']+)'/g)].map(([, from = '']) =>
        join(dirname(file), from),
      ),
    ),
  );

const SMALL_LINES = 30;
/** The first line of a small file that only one sibling imports, with the reason why it is a file. */
const ALONE = /^\/\/ Stands alone: \S/;

test('a small file that only one sibling imports is a part of that sibling, or its first line says why not', () => {
  const rooms = /^src\/(server|contract|simulator|console\/(kit|lib|shared))\/(?!.*([.]test[.]|\/testing\/))/;
  const importers = importersOf();
  const apart = loadedApart();
  const small = sources.filter((file) => {
    if (!rooms.test(file) || apart.has(file)) return false;
    const [importer, ...others] = importers.get(file) ?? [];
    if (importer === undefined || others.length > 0 || dirname(importer) !== dirname(file)) return false;
    return linesOf(file).length - 1 < SMALL_LINES;
  });
  const hasReason = (file: string): boolean => ALONE.test(linesOf(file)[0] ?? '');
  expect(small.filter((file) => !hasReason(file))).toEqual([]);
  // A reason that nothing asks for any more is taken out.
  expect(sources.filter((file) => hasReason(file) && !small.includes(file))).toEqual([]);
});

test('a file is named after what it exports, in kebab-case', () => {
  const vague = /^(utils?|helpers?|types?|common|misc|index)[.]tsx?$/;
  expect(sources.filter((file) => vague.test(basename(file)))).toEqual([]);
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*([.](test|worker|server|property|d|config))*[.]tsx?$/;
  expect(sources.filter((file) => !kebab.test(basename(file)))).toEqual([]);
});

test('the console lists names with the comma of the reader', () => {
  const technical = 'src/console/features/logs/call-facts.ts';
  const shown = sources.filter(
    (file) => /^src\/console\/.*(?<!test)\.tsx?$/.test(file) && file !== technical,
  );
  expect(
    offences(shown, (line) => /\.join\((['"`])[,，、;；] ?\1\)/.test(line) && !line.includes("join(',')")),
  ).toEqual([]);
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

/** Tests that wait for a number of milliseconds, and why nothing else can be waited for. */
const WAITING: Readonly<Record<string, string>> = {
  'e2e/faults/standstill.test.ts': 'a server must stand still for longer than a limit',
  'e2e/faults/two-nodes-channels.test.ts':
    'an answer must be older than what counts as the last, and calls have a pace',
  'e2e/faults/uploads.test.ts': 'a caller must be slower than a limit, and only time passes meanwhile',
  'src/server/http/door/connections.test.ts': 'a process must stand still while data arrives',
  'src/server/relay/route/channel-limits-nodes.server.test.ts':
    'a node must find that it is alone, and calls have a pace',
  'src/server/relay/route/fastest-again.server.test.ts': 'calls have a pace',
  'src/server/relay/route/hanging-key.server.test.ts': 'calls have a pace',
  'src/server/relay/route/hanging-upstream.server.test.ts': 'calls have a pace',
  'src/server/relay/route/one-deadline.server.test.ts': 'calls have a pace',
  'src/server/relay/route/two-nodes.server.test.ts': 'calls have a pace',
};

test('no test waits for a number of milliseconds, but for what happens', () => {
  const waits = new RegExp(
    [
      String.raw`\b(?:waitForTimeout|pause|sleep|delay|await wait|await setTimeout)\((?:[1-9A-Z]|\w*Ms\b)`,
      String.raw`\bsetTimeout\(.*, [1-9][\d_]*\)`,
      String.raw`\bAtomics\.wait\(.*, [1-9][\d_]*\)`,
    ].join('|'),
  );
  const tests = sources.filter((file) => /[.]test[.]tsx?$/.test(file) && file !== 'src/tidy.test.ts');
  const waiting = offences(
    tests.filter((file) => !linesOf(file).some((line) => line.includes('vi.useFakeTimers'))),
    (line) => waits.test(line),
  );
  expect(waiting.filter((line) => WAITING[line.replace(/:.*/, '')] === undefined)).toEqual([]);
  // Whoever waits no longer is struck off.
  expect([...new Set(waiting.map((line) => line.replace(/:.*/, '')))].toSorted()).toEqual(
    Object.keys(WAITING).toSorted(),
  );
});

test('no test gives up after the second that vi.waitFor takes by default: expect.poll has the patience of the part', () => {
  const tests = sources.filter((file) => /[.]test[.]tsx?$/.test(file) && file !== 'src/tidy.test.ts');
  expect(offences(tests, (line) => line.includes('vi.waitFor('))).toEqual([]);
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

test('every page of documentation is found from the README, link by link, and every link leads to a file', () => {
  const seen = new Set<string>();
  const dead: string[] = [];
  const follow = (page: string): void => {
    if (seen.has(page)) return;
    seen.add(page);
    const text = readFileSync(join(root, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
      const linked = join(dirname(page), target);
      if (!existsSync(join(root, linked))) dead.push(`${page}: ${target}`);
      else if (linked.endsWith('.md')) follow(linked);
      else for (const file of files) if (dirname(file) === linked && file.endsWith('.md')) follow(file);
    }
  };
  follow('README.md');
  expect(dead).toEqual([]);
  expect(files.filter((file) => file.startsWith('docs/') && file.endsWith('.md') && !seen.has(file))).toEqual(
    [],
  );
});

test('every source file that a page names by its path is there', () => {
  const known = new Set(
    files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
  );
  const pages = files.filter((file) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(file));
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?<![\w./*<>-])[\w-]+(?:\/[\w.-]+)+\.(?:tsx?|css|cjs|json)\b/g)].map(
      ([path]) => `${page}: ${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter((line) => !known.has(line.replace(/^.*: /, '')))).toEqual([]);
});

/** So many files beside each other, tests not counted, are still found by reading their names. */
const MOST_IN_A_FOLDER = 28;

test('a folder with more files has rooms, except migrations, which are numbered', () => {
  const counts = new Map<string, number>();
  for (const file of sources.filter((one) => !/[.]test[.]tsx?$/.test(one)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > MOST_IN_A_FOLDER).map(([folder]) => folder);
  expect(full.filter((folder) => folder !== 'src/server/store/migrations')).toEqual([]);
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
  expect(
    offences(['package-lock.json', 'e2e/clients/package-lock.json'], (line) =>
      line.includes('"resolved": "http'),
    ),
  ).toEqual([]);
});

test.each(['package-lock.json', 'e2e/clients/package-lock.json'])(
  '%s names the packages of every system, or npm ci refuses it',
  (file) => {
    const lock = parseLock(readFileSync(join(root, file), 'utf8'));
    expect(
      missingPlatformPackages(lock).map(({ name }) => `${name}: run node scripts/complete-lock.ts`),
    ).toEqual([]);
  },
);
