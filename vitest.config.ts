import { defineConfig } from 'vitest/config';

/** Tests that start a browser, a database server or a process of their own wait longer, and not beside each other. */
const patient = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  fileParallelism: false,
  // What is waited for comes in its time, also where the machine has much else to do.
  expect: { poll: { timeout: 15_000 } },
} as const;

/** For what mostly waits, on an upstream that does not answer or on a process: two files at once wait half as long. */
const twoFilesAtOnce = { fileParallelism: true, maxWorkers: 2 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: ['src/server/store/**', 'src/**/*.server.test.ts'],
          testTimeout: 10_000,
          // Nothing here starts or changes what another file sees: one loading of the modules serves all.
          pool: 'threads',
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'store',
          include: ['src/server/store/**/*.test.ts'],
          globalSetup: ['src/server/store/testing/postgres-server.ts'],
          ...patient,
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/**/*.server.test.ts'],
          ...patient,
          ...twoFilesAtOnce,
          isolate: false,
        },
      },
      { test: { name: 'charges', include: ['e2e/charges/**/*.test.ts'], ...patient, isolate: false } },
      { test: { name: 'providers', include: ['e2e/providers/**/*.test.ts'], ...patient, isolate: false } },
      { test: { name: 'clients', include: ['e2e/clients/*.test.ts'], ...patient } },
      {
        test: {
          name: 'faults',
          include: ['e2e/faults/**/*.test.ts'],
          maxConcurrency: 20,
          ...patient,
          ...twoFilesAtOnce,
        },
      },
      // A browser and one loading of the modules serve a worker; every file has a server and windows of its own.
      {
        test: {
          name: 'journeys',
          include: ['e2e/journeys/**/*.test.ts'],
          ...patient,
          ...twoFilesAtOnce,
          testTimeout: 120_000,
          isolate: false,
        },
      },
    ],
  },
});
