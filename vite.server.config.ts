import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const THREAD = /(?<=new URL\()'\.\/([\w-]+-worker)\.ts'(?=, import\.meta\.url\))/g;

/** Threads are started from files of their own, beside the bundle as they are beside their starter's source. */
const threads = (): Plugin => ({
  name: 'tollgate:threads',
  enforce: 'pre',
  transform(code, id) {
    if (code.search(THREAD) < 0) return null;
    const asEntry = (_: string, name: string): string => {
      this.emitFile({ type: 'chunk', id: resolve(dirname(id), `${name}.ts`), fileName: `${name}.js` });
      return `'./${name}.js'`;
    };
    return { code: code.replace(THREAD, asEntry), map: null };
  },
});

const BUILTIN = '\0builtin ';

/**
 * Node's own modules, without what they load only when asked. A plain `import` of one reads all its exports, also those behind
 * getters: that of `node:http` loads Node's `fetch` with all that belongs to it (docs/decisions/0026).
 */
const builtins = (): Plugin => ({
  name: 'tollgate:builtins',
  enforce: 'pre',
  resolveId(id, _importer, { kind }) {
    // `require` reads no getters, and may give a function.
    return isBuiltin(id) && kind !== 'require-call' ? `${BUILTIN}${id}` : null;
  },
  load(id) {
    if (!id.startsWith(BUILTIN)) return null;
    const name = id.slice(BUILTIN.length);
    const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
      (key) => key !== 'default' && /^[a-z_$][\w$]*$/i.test(key),
    );
    // Marked as pure, so that a getter which nobody imports is not called.
    const exports = names.map(
      (key) => `const $${key} = /* @__PURE__ */ (() => builtin.${key})(); export { $${key} as ${key} };`,
    );
    return `const builtin = process.getBuiltinModule('${name}'); export default builtin; ${exports.join('\n')}`;
  },
});

const PRICES = '/@pydantic/genai-prices/';
const BY_LANGUAGE = /([\w.]+)\.localeCompare\(([\w.]+)\)/g;

/**
 * The price package sorts its own names, all ASCII, by the rules of a language when it is loaded, and the tables of these rules
 * are 3 MB that a server needs for nothing else.
 */
const plainOrder = (): Plugin => ({
  name: 'tollgate:plain-order',
  transform(code, id) {
    if (!id.includes(PRICES)) return null;
    if (code.search(BY_LANGUAGE) < 0) this.error(`${id} no longer sorts by language: plainOrder can go`);
    return { code: code.replace(BY_LANGUAGE, '($1 < $2 ? -1 : $1 > $2 ? 1 : 0)'), map: null };
  },
});

/**
 * The server with all its packages, for Node (docs/decisions/0026). As deep below package.json as its sources are, so that
 * what they find by their place, the bundle finds too.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [threads(), builtins(), plainOrder()],
  ssr: { noExternal: true },
  build: {
    ssr: 'src/server/main.ts',
    outDir: 'dist/server',
    target: 'esnext',
    sourcemap: true,
    // Both are asked for with a way out: `pg` without its native twin, and on Node instead of a Cloudflare worker.
    rolldownOptions: {
      external: ['pg-native', 'cloudflare:sockets'],
      output: {
        chunkFileNames: '[name]-[hash].js',
        // One Chinese letter, and the engine keeps the text of its whole file at two bytes a letter: 2.3 MB more.
        charset: 'ascii',
        // A stack trace needs the places in our sources, not their text.
        sourcemapExcludeSources: true,
        // The text of every file stays in memory, so it has no comments and spaces; names stay as they are.
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
});
