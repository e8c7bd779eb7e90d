import { join } from 'node:path';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { putMigratedFile } from '../../store/testing/migrated-file.ts';
import { proveRows } from '../../store/testing/prove-rows.ts';
import type { Caller } from './caller.ts';
import { type Stage, setStage } from './stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './test-config.ts';

/** A server with a super admin and its own data, and what tests of calls need. */
export interface Scene {
  readonly server: RunningServer;
  readonly stage: Stage;
  readonly root: User;
  /** Calls the API as the super admin. */
  readonly asRoot: Caller;
  readonly log: ReturnType<typeof keptLog>;
  /** Sets an option; throws the refusal. */
  set(option: string, value: unknown): Promise<void>;
  /** Creates a user with this many units, and a key that is unlimited or has `keyUnits`. */
  spender(username: string, quotaUnits: number, keyUnits?: number): Promise<Spender>;
  /** Restarts the server with the same data. */
  restart(): Promise<void>;
  /** Throws if a call was charged what its row does not prove. */
  close(): Promise<void>;
}

export interface Spender {
  readonly user: User;
  /** Without `sk-`. */
  readonly key: string;
}

export const openScene = async (environment: Readonly<Record<string, string>> = {}): Promise<Scene> => {
  const folder = temporaryFolder();
  const log = keptLog();
  if (environment['DATABASE_URL'] === undefined) await putMigratedFile(join(folder.path, 'tollgate.db'));
  const start = () => startServer(readConfig({ ...testEnvironment(folder.path), ...environment }), { log });
  let server = await start();
  let stage = await setStage(server);
  const root = await stage.person('root', role.root);
  let asRoot = stage.caller(await stage.session(root));
  return {
    get server() {
      return server;
    },
    get stage() {
      return stage;
    },
    get asRoot() {
      return asRoot;
    },
    root,
    log,
    async set(option, value) {
      const got = await asRoot('/api/option', { method: 'PUT', body: { key: option, value: String(value) } });
      if (got.success !== true) throw new Error(got.message);
    },
    spender: (username, quotaUnits, keyUnits) =>
      newSpender(server, stage, { username, quotaUnits, keyUnits }),
    async restart() {
      await server.stop();
      server = await start();
      stage = await setStage(server);
      asRoot = stage.caller(await stage.session(root));
    },
    async close() {
      try {
        await proveRows(server.parts.stores.database);
      } finally {
        await server.stop();
        folder.remove();
      }
    },
  };
};

const newSpender = async (
  { parts }: RunningServer,
  stage: Stage,
  wish: { readonly username: string; readonly quotaUnits: number; readonly keyUnits: number | undefined },
): Promise<Spender> => {
  const { username, quotaUnits: deltaUnits, keyUnits } = wish;
  const user = await stage.person(username);
  const grant = { kind: 'grant', ref: `start ${user.id}`, reason: '', actorId: 0, nowMs: 1 } as const;
  if (deltaUnits > 0) await parts.stores.ledger.move({ ...grant, userId: user.id, deltaUnits });
  const token = await stage.token(user);
  const limit = keyUnits === undefined ? { unlimited: true } : { remainQuotaUnits: keyUnits };
  await parts.tokens.update(user, token.id, limit);
  return { user, key: token.key };
};
