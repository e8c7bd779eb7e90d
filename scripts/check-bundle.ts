import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Checks what a browser must load before a page is useful: the JavaScript and CSS of its chunks, gzipped, found by
 * following static imports in the manifest of the build. What a page fetches later (comboboxes, editors) does not count;
 * the journey of weights counts all that a page loads by itself.
 * Run after `vite build`; exits 1 when a page is over its budget.
 */

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

interface Budget {
  readonly page: string;
  readonly limitKb: number;
  /** The page's entry modules, as named in the manifest. */
  readonly modules: readonly string[];
}

const folder = join(import.meta.dirname, '../dist/console');

const front = ['index.html', 'locales/zh/common.json', 'locales/zh/front.json'];
const consolePage = (name: string): string[] => [
  'index.html',
  'shell/frames/console-frame.tsx',
  'locales/zh/common.json',
  `locales/zh/${name}.json`,
  `features/${name}/${name}-page.tsx`,
];

const budgets: readonly Budget[] = [
  {
    page: 'login',
    limitKb: 130,
    modules: [...front, 'shell/frames/card-frame.tsx', 'features/login/login-page.tsx'],
  },
  {
    page: 'home',
    limitKb: 130,
    modules: [...front, 'shell/frames/front-frame.tsx', 'features/home/home-page.tsx'],
  },
  { page: 'channels', limitKb: 182, modules: consolePage('channels') },
  { page: 'tokens', limitKb: 177, modules: consolePage('tokens') },
  { page: 'logs', limitKb: 177, modules: consolePage('logs') },
  {
    page: 'dashboard',
    limitKb: 182,
    // Loaded right after the page for every admin, so it counts too.
    modules: [
      ...consolePage('dashboard'),
      ...['attention', 'cache', 'margin'].map((name) => `features/dashboard/${name}-card.tsx`),
      'features/dashboard/panels.tsx',
    ],
  },
  { page: 'playground', limitKb: 210, modules: consolePage('playground') },
];

/** Every file that loads with these modules, with the name of its chunk, because file names are only hashes. */
const filesOf = (manifest: Manifest, modules: readonly string[]): ReadonlyMap<string, string> => {
  const seen = new Set<string>();
  const files = new Map<string, string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.set(file, chunk.name ?? name);
    chunk.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return files;
};

const gzippedKb = async (file: string): Promise<number> =>
  gzipSync(await readFile(join(folder, file))).byteLength / 1000;

const weigh = async (manifest: Manifest, { page, limitKb, modules }: Budget): Promise<boolean> => {
  const files = [...filesOf(manifest, modules)];
  const sizes = await Promise.all(files.map(([file]) => gzippedKb(file)));
  const totalKb = sizes.reduce((sum, size) => sum + size, 0);
  const isHeld = totalKb <= limitKb;
  console.log(
    `${isHeld ? 'ok  ' : 'OVER'} ${page.padEnd(12)}${totalKb.toFixed(1).padStart(7)} kB of ${limitKb}`,
  );
  if (!isHeld || process.argv.includes('--verbose')) {
    const heaviest = files
      .map(([file, chunk], at) => [sizes[at] ?? 0, `${chunk} ${file.slice(file.lastIndexOf('.'))}`] as const)
      .toSorted(([a], [b]) => b - a);
    for (const [size, file] of heaviest.slice(0, 12))
      console.log(`       ${size.toFixed(1).padStart(6)}  ${file}`);
  }
  return isHeld;
};

const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'));
let isHeld = true;
for (const budget of budgets) {
  if (!(await weigh(manifest, budget))) isHeld = false;
}
if (!isHeld) process.exitCode = 1;
