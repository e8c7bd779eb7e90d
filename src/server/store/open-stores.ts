import { join } from 'node:path';
import { createBackgroundResponseStore } from './background-response-store.ts';
import { createChangeFeed } from './change-feed.ts';
import { createChannelBatchStore } from './channel-batch-store.ts';
import { createTaskStore } from './task-store.ts';
import { createSightingStore } from './sighting-store.ts';
import { createChannelStore } from './channel-store.ts';
import { createCountStore } from './count-store.ts';
import { type DatabaseConfig, openDatabase } from './database.ts';
import { createJournalStore } from './journal-store.ts';
import { createFactorStore } from './factor-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createKeptResponseStore } from './kept-response-store.ts';
import { createLedger } from './ledger.ts';
import { createLogClearingStore } from './log-clearing-store.ts';
import { createLogStore } from './log-store.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { createOptionStore } from './option-store.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createRedemptionStore } from './redemption-store.ts';
import { createSessionStore } from './session-store.ts';
import { createTicketStore } from './ticket-store.ts';
import { createTokenStore } from './token-store.ts';
import { createTopUpOrderStore } from './top-up-order-store.ts';
import { createUsageStore } from './usage-store.ts';
import { createUserStore } from './user-store.ts';
import { closeFolder } from './owners-alone.ts';
import { openVault } from './vault.ts';

export interface StoreConfig {
  /** Empty for SQLite in the data directory. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Empty when it is in a file. */
  readonly masterKey: string;
  /** Empty for `master.key` in the data directory. */
  readonly masterKeyFile: string;
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Which database is meant: PostgreSQL where an address is given, else the file in the data directory. */
export const databaseConfigOf = ({
  databaseUrl,
  dataDir,
}: Pick<StoreConfig, 'databaseUrl' | 'dataDir'>): DatabaseConfig =>
  databaseUrl === ''
    ? { engine: 'sqlite', file: join(dataDir, 'tollgate.db') }
    : { engine: 'postgres', url: databaseUrl };

/** The database and everything that is kept in it. */
export const openStores = async (config: StoreConfig) => {
  closeFolder(config.dataDir);
  const database = await openDatabase(databaseConfigOf(config));
  const vault = await openVault(database, {
    ...(config.masterKey === '' ? {} : { masterKeyText: config.masterKey }),
    keyFile: config.masterKeyFile || join(config.dataDir, 'master.key'),
  });
  const ledger = createLedger(database);
  const feed = await createChangeFeed(database);
  return {
    database,
    vault,
    ledger,
    feed,
    users: createUserStore(database),
    managedUsers: createManagedUserStore(database),
    identities: createIdentityStore(database),
    factors: createFactorStore(database),
    passkeys: createPasskeyStore(database),
    counts: createCountStore(database),
    tickets: createTicketStore(database),
    tokens: createTokenStore(database),
    channels: createChannelStore(database),
    channelBatch: createChannelBatchStore(database),
    sightings: createSightingStore(database),
    tasks: createTaskStore(database),
    keptResponses: createKeptResponseStore(database),
    backgroundResponses: createBackgroundResponseStore(database),
    options: createOptionStore(database),
    logs: createLogStore(database),
    logClearing: createLogClearingStore(database),
    usage: createUsageStore(database),
    sessions: createSessionStore(database),
    redemptions: createRedemptionStore(database),
    topUpOrders: createTopUpOrderStore(database),
    journal: createJournalStore(database),
    /** Writes what is on its way, then closes. */
    close: async (): Promise<void> => {
      await feed.close();
      await ledger.close();
      await database.close();
    },
  };
};
