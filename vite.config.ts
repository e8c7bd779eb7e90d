import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { leanIcons } from './scripts/lean-icons.ts';
import { clients } from './src/console/features/connect/clients.ts';
import { channelTypes } from './src/contract/channel-types.ts';
import { aliases, pages } from './src/console/routes.ts';

const root = import.meta.dirname;
const contractApi = resolve(root, 'src/contract/api');
const contractTypes = resolve(root, 'src/contract/channel-types') + sep;
const iconFolder = resolve(root, 'node_modules/@lobehub/icons-static-svg/icons');

/**
 * The console reads an endpoint's types, method and path, never its schemas: without this, zod and every schema would
 * be part of the first download. Each `src/contract/api` module is loaded here and given to the browser as plain data;
 * importing a schema value from the console is therefore a build error.
 */
const endpointsAsData = (): Plugin => ({
  name: 'tollgate:endpoints-as-data',
  async load(id) {
    if (!id.startsWith(contractApi)) return null;
    this.addWatchFile(id);
    const module: Record<string, unknown> = await import(`${pathToFileURL(id).href}?t=${Date.now()}`);
    return Object.entries(module)
      .flatMap(([name, value]) => endpointLine(name, value))
      .join('\n');
  },
});

const endpointLine = (name: string, value: unknown): string[] => {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('method' in value) ||
    !('path' in value) ||
    !('access' in value)
  )
    return [];
  const { method, path, access } = value;
  return [`export const ${name} = ${JSON.stringify({ method, path, access })};`];
};

/**
 * A row of a channel type says everything that the console shows of it; here its guide is left out of the row. Lists load
 * the rows, the form of a channel loads `type-guides.ts`.
 */
const channelTypesAsData = (): Plugin => ({
  name: 'tollgate:channel-types-as-data',
  async load(id) {
    if (!id.startsWith(contractTypes)) return null;
    this.addWatchFile(id);
    const module: Record<string, unknown> = await import(`${pathToFileURL(id).href}?t=${Date.now()}`);
    const withoutGuide = (key: string, value: unknown): unknown => (key === 'guide' ? undefined : value);
    return Object.entries(module)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, withoutGuide)};`)
      .join('\n');
  },
});

/** Icons of upstream kinds and of programs, each its own small file, fetched when first seen. */
const icons = (): Plugin => {
  const all = [...channelTypes, ...clients].map(({ icon }) => icon ?? 'custom');
  const names = new Set(all.filter((icon) => icon !== 'custom'));
  const source = (name: string): Promise<string> => readFile(resolve(iconFolder, `${name}.svg`), 'utf8');
  return {
    name: 'tollgate:icons',
    async generateBundle() {
      for (const name of names) {
        this.emitFile({ type: 'asset', fileName: `icons/${name}.svg`, source: await source(name) });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = /^\/icons\/([\w-]+)\.svg$/.exec(request.url ?? '')?.[1];
        if (name === undefined || !names.has(name)) return next();
        void source(name).then((svg) => response.setHeader('Content-Type', 'image/svg+xml').end(svg), next);
      });
    },
  };
};

/** The files that come with a chunk, without those in `known`: its scripts and their styles. */
const filesWith = (
  bundle: Rolldown.OutputBundle,
  fileName: string,
  known: ReadonlySet<string>,
  into = new Set<string>(),
): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || known.has(fileName) || into.has(fileName)) return into;
  into.add(fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) if (!known.has(style)) into.add(style);
  for (const each of chunk.imports) filesWith(bundle, each, known, into);
  return into;
};

/**
 * What a chunk asks for beside a chunk that it loads later: without this, also what it has loaded itself, and the first
 * chunk names the parts of every page, which are two kilobytes of every page. Those are named in index.html.
 */
const leanPreloads = () => {
  let entry = '';
  const loadedWith = new Map<string, ReadonlySet<string>>();
  const plugin: Plugin = {
    name: 'tollgate:lean-preloads',
    enforce: 'pre',
    generateBundle(_, bundle) {
      for (const each of Object.values(bundle)) {
        if (each.type !== 'chunk') continue;
        if (each.isEntry) entry = each.fileName;
        loadedWith.set(each.fileName, filesWith(bundle, each.fileName, new Set()));
      }
    },
  };
  const resolveDependencies = (file: string, parts: string[], { hostId }: { hostId: string }): string[] => {
    const known = [loadedWith.get(entry), loadedWith.get(hostId)];
    return parts.filter(
      (part) =>
        part === file ||
        (!known.some((files) => files?.has(part)) && (hostId !== entry || part.endsWith('.css'))),
    );
  };
  return { plugin, resolveDependencies };
};
const lean = leanPreloads();

/**
 * Names in index.html what each page needs first, for theme.js to ask for at once: left alone, the browser hears of a
 * page's own parts only once the scripts of all pages have run, or a part of it has come.
 */
const firstParts = (): Plugin => ({
  name: 'tollgate:first-parts',
  enforce: 'post',
  generateBundle(_, bundle) {
    const sources = new Map<string, string>();
    for (const each of Object.values(bundle))
      if (each.type === 'chunk' && each.facadeModuleId !== null)
        sources.set(
          relative(resolve(root, 'src/console'), each.facadeModuleId).split(sep).join('/'),
          each.fileName,
        );
    const chunkOf = (source: string): string =>
      sources.get(source) ?? this.error(`no chunk is made from ${source}: theme.js could not ask for it`);
    const always = filesWith(bundle, chunkOf('index.html'), new Set());
    const partsOf = (wanted: readonly string[]): string => {
      const files = new Set(wanted.flatMap((source) => [...filesWith(bundle, chunkOf(source), always)]));
      return [...files].map((file) => file.slice('assets/'.length).replace(/\.js$/, '')).join(' ');
    };
    const texts = (language: string, area: string): string =>
      partsOf(['common', area].map((name) => `locales/${language}/${name}.json`));
    const first = pages.map(({ path, key, area, frame, access }) => [
      path,
      [
        partsOf([`shell/frames/${frame}-frame.tsx`, `features/${key}/${key}-page.tsx`]),
        texts('zh', area),
        texts('en', area),
        Number(access !== 'public'),
      ],
    ]);
    const page = bundle['index.html'];
    if (page?.type !== 'asset') return this.error('index.html comes later than theme.js needs it');
    const json = JSON.stringify(Object.fromEntries(first));
    page.source = String(page.source).replace(
      /(id="first-parts">)[^<]*/,
      (_all, start: string) => start + json,
    );
  },
});

/** Lists the addresses of all pages for the server, which answers others with the status 404. */
const addresses = (): Plugin => ({
  name: 'tollgate:addresses',
  generateBundle() {
    const all = [...pages.map(({ path }) => path), ...Object.keys(aliases)];
    this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(all) });
  },
});

/** Packages that every page loads. */
const everywhere =
  /\/node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store))\//;
/** What every icon is made with: apart from the icons, else whoever wants one icon loads the chunk of many. */
const iconMaker = /\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)\.mjs$/;
/** Of the menu, of lists and of many pages. */
const iconsToK =
  /\/Icon(Activity|Arrow(Down|Up|sVertical)|Bolt|Check|ChevronRight|Dots|Download|FileText|History|Key)\.mjs$/;
const iconsFromM =
  /\/Icon(Menu2|Photo|PlugConnected|Plus|Refresh|Search|Selector|Settings|Tag|Tool|Trash|Wallet|X)\.mjs$/;
/** Files of ours, as the ends of their paths, with what they import. */
const ours = (...ends: readonly string[]): RegExp =>
  new RegExp(`/src/(?:console|contract)/(?:${ends.join('|')})\\.tsx?$`);

/**
 * What is loaded together is one chunk: each costs its page a request, which is five milliseconds of a slow processor, and
 * small ones compress worse. Whoever wants a part of a chunk loads it all, so what visitors load is apart. The first one
 * that fits takes a file, with what it imports.
 */
const chunks: readonly (readonly [name: string, files: readonly RegExp[]])[] = [
  ['vendor', [everywhere, iconMaker]],
  ['base', [ours('shell/menus/preferences', 'kit/overlays/menu', 'lib/browser/media', 'api/people/session')]],
  ['visitors', [ours('shell/menus/top-links', 'kit/copy')]],
  ['site-content', [ours('lib/server/site-content')]],
  [
    'console',
    [
      /\/@tanstack\/(query-core|react-query)\//,
      iconsToK,
      iconsFromM,
      ours('shell/menus/side-menu', 'kit/(page-header|segmented|status)', 'kit/texts/(quota-text|time-text)'),
      ours('lib/browser/enter-key'),
      ours('lib/browser/(after-frame|single-keys|use-lasting|while-visible)', 'lib/server/query'),
      ours('api/channels/channels'),
    ],
  ],
  [
    'lists',
    [
      ours('kit/resource-table/resource-table', 'kit/tables/(named-cell|batch-progress)'),
      ours('kit/(add-button|group-chip)', 'lib/server/row-cache'),
    ],
  ],
  [
    'after-rows',
    [
      ours('kit/resource-table/(pager|toolbar/view-menus)'),
      ours('kit/resource-table/grid/(column-grip|table-keys)'),
    ],
  ],
  ['after-frame', [ours('shell/late-buttons', 'shell/menus/(user-menu|chat-links|problem-badge)')]],
];

const FILE_NAMES = 'assets/[hash:7]';

export default defineConfig({
  root: resolve(root, 'src/console'),
  plugins: [
    endpointsAsData(),
    channelTypesAsData(),
    icons(),
    leanIcons(),
    lean.plugin,
    firstParts(),
    addresses(),
    react({ compiler: true }),
  ],
  server: {
    // The server of `npm run dev` names itself here; the console alone is served from port 5173.
    proxy: Object.fromEntries(
      ['/api', '/pg', '/v1', '/.well-known'].map((path) => [
        path,
        process.env['TOLLGATE_API'] ?? 'http://127.0.0.1:3000',
      ]),
    ),
  },
  worker: { format: 'es' },
  build: {
    outDir: resolve(root, 'dist/console'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    modulePreload: { polyfill: false, resolveDependencies: lean.resolveDependencies },
    rolldownOptions: {
      output: {
        // Without words: the first chunk names every other, and so do many. A kilobyte of each page.
        entryFileNames: FILE_NAMES + '.js',
        chunkFileNames: FILE_NAMES + '.js',
        assetFileNames: FILE_NAMES + '[extname]',
        codeSplitting: {
          groups: [
            // With all that main.tsx imports.
            { name: 'base', tags: ['$initial'], priority: chunks.length - 1 },
            ...chunks.map(([name, files], at) => ({
              name,
              test: (id: string) => files.some((file) => file.test(id.replaceAll('\\', '/'))),
              priority: chunks.length - at,
            })),
          ],
        },
      },
    },
    // The content security policy allows data: for images only.
    assetsInlineLimit: 0,
  },
});
