import { defineConfig } from 'vitest/config';

/** Tests that start a browser, a database server or a process of their own wait longer, and not beside each other. */
const patient = { testTimeout: 60_000, hookTimeout: 120_000, fileParallelism: false } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: ['src/server/store/**', 'src/**/*.server.test.ts'],
          testTimeout: 10_000,
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
      { test: { name: 'server', include: ['src/**/*.server.test.ts'], ...patient } },
      { test: { name: 'charges', include: ['e2e/charges/**/*.test.ts'], ...patient } },
      { test: { name: 'clients', include: ['e2e/clients/*.test.ts'], ...patient } },
      // Hardly more than waiting for what does not come: two files beside each other wait half as long.
      {
        test: {
          name: 'faults',
          include: ['e2e/faults/**/*.test.ts'],
          maxConcurrency: 20,
          ...patient,
          fileParallelism: true,
          maxWorkers: 2,
        },
      },
      { test: { name: 'journeys', include: ['e2e/journeys/**/*.test.ts'], ...patient } },
      { test: { name: 'crash', include: ['e2e/crash/**/*.test.ts'], ...patient } },
    ],
  },
});
