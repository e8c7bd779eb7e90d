import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Servers that tests start, and their threads, are compiled once: also where `vitest` is called by hand.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Databases are made and thrown away by the hundred: in memory, where there is room, a tenth of the processor time does.
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;
const roomIn = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
if (existsSync(MEMORY) && roomIn(MEMORY) > ROOM_BYTES) process.env['TMPDIR'] ??= MEMORY;

/** What is waited for comes in its time, also where the machine has much else to do: these limits only end what hangs. */
const patient = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 90_000 } },
} as const;

/**
 * For what runs on the server's side: Node reads the sources as it does for operators who develop, and keeps what it compiled for
 * the next worker. Vite's own runner reads each module again for every worker, a tenth of what the servers' tests took.
 */
const asTheyStand = { experimental: { viteModuleRunner: false } } as const;

/** Where the server has been built, tests that run it from its sources start its threads from the build. */
const builtThreads = {
  setupFiles:
    process.env['TOLLGATE_SERVER'] === undefined ? [] : ['src/server/compose/testing/built-threads.ts'],
};

/**
 * For processes with servers and databases in them, which are short-lived: helpers of the garbage collector, and a young heap that
 * grows from half a megabyte, take more than they give. Starting a server takes a sixth less.
 */
const shortLived = { execArgv: ['--single-threaded-gc', '--min-semi-space-size=16'] };

/** Tests that start a browser, a database server or a process of their own: not beside each other. */
const alone = { ...patient, ...asTheyStand, ...shortLived, fileParallelism: false } as const;

/** For what mostly waits, on an upstream that does not answer or on a process: two files at once wait half as long. */
const twoFilesAtOnce = { fileParallelism: true, maxWorkers: 2 } as const;

/** For what starts nothing, and changes nothing that another file sees: one loading of the modules serves all. */
const loadedOnce = { pool: 'threads', isolate: false, maxWorkers: '100%' } as const;

const parts = [
  {
    name: 'unit',
    include: ['src/**/*.test.{ts,tsx}'],
    exclude: ['src/console/**', 'src/server/store/**', 'src/**/*.server.test.ts'],
    ...patient,
    ...asTheyStand,
    ...loadedOnce,
  },
  {
    name: 'console',
    include: ['src/console/**/*.test.{ts,tsx}'],
    // Other style sheets are empty in tests.
    css: { include: [/tokens\.css/] },
    ...patient,
    setupFiles: ['src/console/testing/usual-screen.ts'],
    ...loadedOnce,
  },
  {
    name: 'store',
    include: ['src/server/store/**/*.test.ts'],
    globalSetup: ['src/server/store/testing/postgres-server.ts'],
    ...alone,
    ...builtThreads,
    // Every test has databases of its own.
    ...twoFilesAtOnce,
    isolate: false,
  },
  {
    name: 'server',
    include: ['src/**/*.server.test.ts'],
    ...alone,
    ...builtThreads,
    ...twoFilesAtOnce,
    isolate: false,
    // Most of these wait for a limit to pass.
    maxConcurrency: 100,
  },
  { name: 'charges', include: ['e2e/charges/**/*.test.ts'], ...alone, ...builtThreads, isolate: false },
  { name: 'providers', include: ['e2e/providers/**/*.test.ts'], ...alone, ...builtThreads, isolate: false },
  { name: 'clients', include: ['e2e/clients/*.test.ts'], ...alone },
  {
    name: 'faults',
    include: ['e2e/faults/**/*.test.ts'],
    maxConcurrency: 100,
    ...alone,
    ...builtThreads,
    ...twoFilesAtOnce,
    // Every file has servers of its own: one loading of the modules serves a worker.
    isolate: false,
  },
  // A browser and one loading of the modules serve a worker; every file has a server and windows of its own. Half of its time a
  // journey waits, for its page or its server: with two at once a core was idle when no other part was left.
  {
    name: 'journeys',
    include: ['e2e/journeys/**/*.test.ts'],
    ...alone,
    fileParallelism: true,
    maxWorkers: 3,
    isolate: false,
  },
];

/**
 * Files with a window come before those without, each kind in vitest's order: a worker serves one kind, and where they took turns
 * nearly every turn began a new one, which loaded React and the window's parts again.
 */
class OneKindAfterTheOther extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const withWindow = new Set(
      sorted.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')),
    );
    return [...withWindow, ...sorted.filter((file) => !withWindow.has(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: OneKindAfterTheOther },
    // Parts that are asked for together run one after the other: they differ in how many files they run at once.
    projects: parts.map((part, groupOrder) => ({ test: { ...part, sequence: { groupOrder } } })),
  },
});
