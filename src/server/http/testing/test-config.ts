import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '#core/logging.ts';

/** An empty data directory for one test file. */
export const temporaryFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Collects everything the server logs, for tests that search it for secrets. */
export const keptLog = (): Log & { readonly lines: string[] } => {
  const lines: string[] = [];
  const at = (level: string) => (message: string, fields?: unknown) => {
    lines.push(JSON.stringify({ level, message, fields }));
  };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
};

/** The environment of a test server: any port, its own folder, high limits. */
export const testEnvironment = (folder: string): Record<string, string> => ({
  PORT: '0',
  HOST: '127.0.0.1',
  TOLLGATE_DATA_DIR: folder,
  TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
  TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: 'true',
  TOLLGATE_ALLOW_PRIVATE_MAIL: 'true',
  TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '100000',
  TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: '100000',
  TOLLGATE_REGISTER_LIMIT_PER_ADDRESS: '100000',
  TOLLGATE_SEARCH_LIMIT_PER_USER: '100000',
  TOLLGATE_API_LIMIT_PER_ADDRESS: '1000000',
  TOLLGATE_SHUTDOWN_SECONDS: '2',
});
