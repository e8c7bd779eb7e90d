import { join } from 'node:path';
import type { Log } from '#core/logging.ts';
import { createBackgroundResponseStore } from './tasks/background-response-store.ts';
import { type ChangeFeed, createChangeFeed, createOwnFeed } from './database/change-feed.ts';
import { createAllowanceStore } from './channels/allowance-store.ts';
import { createChannelBatchStore } from './channels/channel-batch-store.ts';
import { createTaskStore } from './tasks/task-store.ts';
import { createBoundSessionStore } from './channels/bound-session-store.ts';
import { createSeatDayStore } from './channels/seat-day-store.ts';
import { createSightingStore } from './channels/sighting-store.ts';
import { createChannelKeyStore } from './channels/channel-key-store.ts';
import { createChannelStore } from './channels/channel-store.ts';
import { createCountStore } from './logs/count-store.ts';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
  openSeat,
  type RelaySeat,
} from './database/database.ts';
import { createJournalStore } from './ledger/journal-store.ts';
import { createGroupStore } from './channels/group-store.ts';
import { createFactorStore } from './people/factor-store.ts';
import { createAvailabilityStore } from './logs/availability-store.ts';
import { createEvidenceStore } from './logs/evidence-store.ts';
import { createHourTotalsStore } from './logs/sums/hour-totals-store.ts';
import { createHouseCostStore } from './logs/sums/house-cost-store.ts';
import { createIdentityStore } from './people/identity-store.ts';
import { createKeptResponseStore } from './tasks/kept-response-store.ts';
import { createLedger } from './ledger/ledger.ts';
import { createLogClearingStore } from './logs/log-clearing-store.ts';
import { createPricedCalls } from './logs/packs/priced-calls.ts';
import { createLogStore } from './logs/log-store.ts';
import { migrate } from './database/migrate.ts';
import { createManagedUserStore } from './people/managed-user-store.ts';
import { createOptionStore } from './channels/option-store.ts';
import { createPriceBookStore } from './channels/price-book-store.ts';
import { createPasskeyStore } from './people/passkey-store.ts';
import { createRedemptionStore } from './wallet/redemption-store.ts';
import { createSessionStore } from './people/session-store.ts';
import { createTicketStore } from './people/ticket-store.ts';
import { createTokenStore } from './people/token-store.ts';
import { createProofStore } from './wallet/proof-store.ts';
import { createSealStore } from './wallet/seal-store.ts';
import { createStatementStore } from './wallet/statement-store.ts';
import { createTopUpOrderStore } from './wallet/top-up-order-store.ts';
import { createUsageStore } from './logs/sums/usage-store.ts';
import { createUsageLinkStore } from './people/usage-link-store.ts';
import { createUserStore } from './people/user-store.ts';
import { closeFolder } from './database/private-files.ts';
import { endChange, resealAll } from './vault/reseal.ts';
import { openVault } from './vault/vault.ts';
import type { MasterKeyConfig } from './vault/master-key.ts';

export interface StoreConfig {
  /** Empty for SQLite in the data directory. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Empty if it is in a file. */
  readonly masterKey: string;
  /** Empty for `master.key` in the data directory. */
  readonly masterKeyFile: string;
}

export type Stores = Awaited<ReturnType<typeof storesOf>>;

/** The database to use: PostgreSQL if a URL is given, else the file in the data directory. */
export const databaseConfigOf = ({
  databaseUrl,
  dataDir,
}: Pick<StoreConfig, 'databaseUrl' | 'dataDir'>): DatabaseConfig =>
  databaseUrl === ''
    ? { engine: 'sqlite', file: join(dataDir, 'tollgate.db') }
    : { engine: 'postgres', url: databaseUrl };

/** Where the master key is. */
export const masterKeyConfigOf = (config: StoreConfig): MasterKeyConfig => ({
  ...(config.masterKey === '' ? {} : { masterKeyText: config.masterKey }),
  keyFile: config.masterKeyFile || join(config.dataDir, 'master.key'),
});

/** Opens the database and all stores. */
export const openStores = async (config: StoreConfig, log?: Log): Promise<Stores> => {
  closeFolder(config.dataDir);
  const database = await openDatabase(databaseConfigOf(config), (writer, engine, file) =>
    migrate(writer, engine, file, (steps) =>
      log?.info('the tables of an older version are changed; with millions of log rows this takes minutes', {
        steps,
      }),
    ),
  );
  return storesOf(config, database, await createChangeFeed(database));
};

/** Opens the stores in a relay's thread. The thread that started it informs it of changes. */
export const openSeatStores = (config: StoreConfig, seat: RelaySeat): Promise<Stores> =>
  storesOf(config, openSeat(databaseConfigOf(config), seat), createOwnFeed());

const storesOf = async (config: StoreConfig, database: Database, feed: ChangeFeed) => {
  const vault = await openVault(database, masterKeyConfigOf(config));
  const ledger = createLedger(database);
  return {
    database,
    vault,
    reseal: (keyNumber: number) => resealAll(database, vault, keyNumber),
    endChange: () => endChange(database),
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
    channelKeys: createChannelKeyStore(database),
    sightings: createSightingStore(database),
    seatDays: createSeatDayStore(database),
    boundSessions: createBoundSessionStore(database),
    tasks: createTaskStore(database),
    keptResponses: createKeptResponseStore(database),
    backgroundResponses: createBackgroundResponseStore(database),
    options: createOptionStore(database),
    priceBook: createPriceBookStore(database),
    groups: createGroupStore(database),
    pricedCalls: createPricedCalls(database),
    logs: createLogStore(database),
    logClearing: createLogClearingStore(database),
    usage: createUsageStore(database),
    hourTotals: createHourTotalsStore(database),
    houseCosts: createHouseCostStore(database),
    allowances: createAllowanceStore(database),
    evidence: createEvidenceStore(database),
    availability: createAvailabilityStore(database),
    sessions: createSessionStore(database),
    redemptions: createRedemptionStore(database),
    topUpOrders: createTopUpOrderStore(database),
    journal: createJournalStore(database),
    statements: createStatementStore(database),
    usageLinks: createUsageLinkStore(database),
    seals: createSealStore(database),
    proofs: createProofStore(database),
    /** Writes what is pending, then closes. */
    close: async (): Promise<void> => {
      await feed.close();
      await ledger.close();
      await database.close();
    },
  };
};
