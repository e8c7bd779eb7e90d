// The arrows of ARCHITECTURE.md. Patterns, not lists: a new provider, feature or store file is covered on its first day.
// TypeScript 7 has no JavaScript interface, so the sources are read with swc (`parser`), type-only imports included.

/** Tests, and what is made for them alone. */
const tests = '([.]test[.]tsx?$|/testing/)';

/** A layer of the server: from its folder, of our own sources only these may be imported. Tests may use every part. */
const layer = (folder, allowed) => ({
  name: `arrow-${folder}`,
  comment: `src/server/${folder} may import only: ${[folder, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^src/server/${folder}/`, pathNot: tests },
  to: { path: '^(src|scripts|bench|e2e)/', pathNot: [folder, ...allowed].map(source) },
});

const source = (name) => (name === 'contract' ? '^src/contract/' : `^src/server/${name}/`);

/** The rooms of the relay, the lowest first; `far` and the stages beside them are read from everywhere. */
const relayRooms = ['request', 'caller', 'bill', 'answer', 'kept', 'route', 'realtime', 'responses', 'tasks'];

/** A room of the relay reads those below it. */
const relayRoom = (room, index) => ({
  name: `relay-${room}`,
  comment: `src/server/relay/${room} may not import: ${relayRooms.slice(index + 1).join(', ')}`,
  severity: 'error',
  from: { path: `^src/server/relay/${room}/`, pathNot: tests },
  to: { path: `^src/server/relay/(${relayRooms.slice(index + 1).join('|')})/` },
});

/** The rooms of `providers/shared`, the lowest first. */
const providerRooms = ['request', 'reply', 'chat', 'models', 'description', 'account'];

/** A room of `providers/shared` reads those below it. */
const providerRoom = (room, index) => ({
  name: `provider-${room}`,
  comment: `src/server/providers/shared/${room} may not import: ${providerRooms.slice(index + 1).join(', ')}`,
  severity: 'error',
  from: { path: `^src/server/providers/shared/${room}/`, pathNot: tests },
  to: { path: `^src/server/providers/shared/(${providerRooms.slice(index + 1).join('|')})/` },
});

const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    layer('core', ['contract']),
    layer('dialects', ['core', 'contract']),
    layer('outbound', ['core', 'contract']),
    layer('providers', ['dialects', 'core', 'contract']),
    layer('relay', ['dialects', 'core', 'contract']),
    layer('control', ['core', 'contract']),
    layer('demo', ['control', 'core', 'contract']),
    ...relayRooms.slice(0, -1).map(relayRoom),
    never(
      'realtime-knows-no-tasks',
      'Conversations and tasks have nothing to do with each other.',
      { path: '^src/server/relay/(realtime|tasks)/', pathNot: tests },
      { path: '^src/server/relay/(realtime|tasks)/', pathNot: '^src/server/relay/$1/' },
    ),
    layer('store', ['core', 'contract']),
    layer('limits', ['core', 'contract']),
    layer('mail', ['core', 'contract']),
    layer('oauth', ['core', 'contract']),
    layer('payment', ['core', 'contract']),
    layer('jobs', ['control', 'core', 'contract']),
    layer('http', ['relay', 'control', 'dialects', 'core', 'contract']),
    never(
      'provider-stands-alone',
      'A provider never imports another provider; what they share is in providers/shared/.',
      { path: '^src/server/providers/([^/]+)/', pathNot: tests },
      { path: '^src/server/providers/[^/]+/', pathNot: '^src/server/providers/($1|shared)/' },
    ),
    ...providerRooms.slice(0, -1).map(providerRoom),
    never(
      'testing-is-for-tests',
      'What is made for tests is used by tests.',
      { path: '^src/', pathNot: tests },
      { path: '/testing/' },
    ),
    never(
      'only-main-knows-everyone',
      'Nobody imports the composition root.',
      { path: '^src/', pathNot: [tests, '^src/server/(main[.]ts$|compose/)'] },
      { path: '^src/server/(main[.]ts$|compose/)' },
    ),
    never(
      'root-files-know-the-rules-only',
      'Files beside main.ts read core and contract; wiring belongs in main.ts.',
      { path: '^src/server/[^/]+[.]ts$', pathNot: [tests, '^src/server/main[.]ts$'] },
      { path: '^src/', pathNot: ['^src/server/[^/]+[.]ts$', '^src/server/core/', '^src/contract/'] },
    ),
    never(
      'core-is-pure',
      'core does no I/O: no Node modules, and of the packages only zod and plain data.',
      { path: '^src/server/core/', pathNot: tests },
      { dependencyTypes: ['core'] },
    ),
    never(
      'core-has-few-packages',
      'A package in core must be pure; add it here with its reason. genai-prices: the price catalogue, data only.',
      { path: '^src/server/core/', pathNot: tests },
      { path: 'node_modules/', pathNot: 'node_modules/(zod|@pydantic/genai-prices|ipaddr[.]js)/' },
    ),
    never(
      'contract-is-zod-only',
      'What server and console both know imports zod and itself.',
      { path: '^src/contract/', pathNot: tests },
      { pathNot: ['^src/contract/', 'node_modules/zod/'] },
    ),
    never(
      'sql-lives-in-store',
      'Only store speaks to a database.',
      { path: '^src/', pathNot: [tests, '^src/server/store/'] },
      { path: '(node_modules/(kysely|pg)/|^(node:)?sqlite$)' },
    ),
    never(
      'console-knows-the-contract',
      'The console never reaches into the server.',
      { path: '^src/console/', pathNot: tests },
      { path: '^src/', pathNot: ['^src/console/', '^src/contract/'] },
    ),
    never(
      'feature-stands-alone',
      'A feature never imports a feature: what two need goes to shared/, or without business to kit/ or lib/.',
      { path: '^src/console/features/([^/]+)/', pathNot: tests },
      { path: '^src/console/features/', pathNot: '^src/console/features/$1/' },
    ),
    never(
      'kit-knows-no-business',
      'kit/ and lib/ are below what features share, and that is below the features.',
      { path: '^src/console/(kit|lib)/', pathNot: tests },
      { path: '^src/console/(features/|shared/|routes)' },
    ),
    never(
      'kit-calls-nobody',
      'A component of the kit serves any data: what it asks the server comes from its owner.',
      { path: '^src/console/kit/', pathNot: tests },
      { path: '^src/(contract/api/|console/lib/server/api[.]ts$)' },
    ),
    never(
      'shared-knows-no-feature',
      'What several features show belongs to none of them.',
      { path: '^src/console/shared/', pathNot: tests },
      { path: '^src/console/(features/|routes)' },
    ),
    never(
      'lib-shows-nothing',
      'lib/ fetches and computes; how an error looks is decided in one handler above it.',
      { path: '^src/console/lib/', pathNot: tests },
      { path: '^src/console/kit/' },
    ),
    never(
      'simulator-is-a-stranger',
      'The fake upstream is written from the outside: it shares no code with what it tests.',
      { path: '^src/simulator/', pathNot: tests },
      { path: '^src/', pathNot: '^src/simulator/' },
    ),
    never(
      'expectations-are-strangers',
      'What recorded answers mean is read without the server: a mistake of its readers must not be its own expectation.',
      { path: '^e2e/conformance/meaning/' },
      { path: '.', pathNot: '^e2e/conformance/meaning/' },
    ),
    never(
      'production-never-imports-tests',
      'Test support stays out of the program.',
      { path: '^src/', pathNot: [tests, '^src/server/[^/]+/testing/'] },
      { path: `(${tests}|^src/server/store/testing/|^(e2e|bench)/)` },
    ),
    never(
      'no-cycles',
      'Two files that need each other are one file, or three; of types, too.',
      {},
      { circular: true },
    ),
    // The client programs have packages of their own, which are only there where they were installed.
    never(
      'resolvable',
      'Every import leads to a file.',
      { pathNot: '^e2e/clients/' },
      { couldNotResolve: true },
    ),
    never(
      'dev-packages-stay-out',
      'The server runs on production dependencies alone.',
      { path: '^src/(server|contract)/', pathNot: [tests, '^src/server/[^/]+/testing/'] },
      { dependencyTypes: ['npm-dev'] },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|bench/node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
