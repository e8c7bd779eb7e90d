import { AppError } from '#core/error.ts';
import { type Kysely, sql } from 'kysely';
import { accounts, laterTokenSettings } from '../migrations/0001-accounts.ts';
import { money } from '../migrations/0002-money.ts';
import { wallet } from '../migrations/0003-wallet.ts';
import { sightings } from '../migrations/0004-sightings.ts';
import { tasks } from '../migrations/0005-tasks.ts';
import { identities, laterIdentities } from '../migrations/0006-identities.ts';
import { limitCounts } from '../migrations/0007-limit-counts.ts';
import { keptResponses } from '../migrations/0008-kept-responses.ts';
import { usageByCaller } from '../migrations/0009-usage-by-caller.ts';
import { backgroundResponses } from '../migrations/0010-background-responses.ts';
import { namesInAnyCase } from '../migrations/0011-names-in-any-case.ts';
import { taskOrigins } from '../migrations/0012-task-origins.ts';
import { oneOfEachName } from '../migrations/0013-one-of-each-name.ts';
import { nodeLeases } from '../migrations/0014-node-leases.ts';
import { usageByToken } from '../migrations/0017-usage-by-token.ts';
import { costs } from '../migrations/0018-costs.ts';
import { priceBook } from '../migrations/0019-price-book.ts';
import { pricedCalls } from '../migrations/0020-priced-calls.ts';
import { cachedTokens } from '../migrations/0021-cached-tokens.ts';
import { channelKeys } from '../migrations/0022-channel-keys.ts';
import { channelEvidence } from '../migrations/0025-channel-evidence.ts';
import { statements } from '../migrations/0026-statements.ts';
import { usageByProgram } from '../migrations/0027-usage-by-program.ts';
import { modelAvailability } from '../migrations/0028-model-availability.ts';
import { tokenTags } from '../migrations/0035-token-tags.ts';
import { usageLinks } from '../migrations/0031-usage-links.ts';
import { rememberedByRelays } from '../migrations/0032-remembered-by-relays.ts';
import { seals } from '../migrations/0036-seals.ts';
import { channelRemarks } from '../migrations/0037-channel-remarks.ts';
import { usageTotals } from '../migrations/0038-usage-totals.ts';
import { logsVacuumedEarly } from '../migrations/0039-logs-vacuumed-early.ts';
import { packedCalls } from '../migrations/0040-packed-calls.ts';
import { polledChannels } from '../migrations/0041-polled-channels.ts';
import { estimatedCosts } from '../migrations/0042-estimated-costs.ts';
import { channelRevisions } from '../migrations/0043-channel-revisions.ts';
import { sortedByName } from '../migrations/0044-sorted-by-name.ts';
import { searchedChannels } from '../migrations/0045-searched-channels.ts';
import { keptLengths } from '../migrations/0046-kept-lengths.ts';
import { groupsToRemove } from '../migrations/0047-groups-to-remove.ts';
import { allowanceDays } from '../migrations/0048-allowance-days.ts';
import { priceApprovals } from '../migrations/0049-price-approvals.ts';
import { postgresWords, sqliteWords } from '../migrations/migration.ts';
import { lockOutNodes } from './postgres/node-lock.ts';
import { lockForServer } from './sqlite/server-lock.ts';
import type { Schema } from './schema.ts';

type Engine = 'sqlite' | 'postgres';

const migrations = [
  accounts,
  money,
  wallet,
  sightings,
  tasks,
  identities,
  limitCounts,
  keptResponses,
  usageByCaller,
  backgroundResponses,
  namesInAnyCase,
  taskOrigins,
  oneOfEachName,
  nodeLeases,
  usageByToken,
  costs,
  priceBook,
  pricedCalls,
  cachedTokens,
  channelKeys,
  channelEvidence,
  statements,
  usageByProgram,
  modelAvailability,
  tokenTags,
  usageLinks,
  rememberedByRelays,
  seals,
  channelRemarks,
  usageTotals,
  logsVacuumedEarly,
  packedCalls,
  polledChannels,
  estimatedCosts,
  channelRevisions,
  sortedByName,
  searchedChannels,
  keptLengths,
  groupsToRemove,
  allowanceDays,
  priceApprovals,
  ...laterIdentities,
  ...laterTokenSettings,
];
/** An arbitrary number that every node must share. */
const MIGRATION_LOCK = 7_311_962;

/** Refuses a database that a newer version has migrated, because this version could damage its data. */
const refuseNewer = (done: ReadonlySet<string>): void => {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...done].find((name) => !known.has(name));
  if (unknown === undefined) return;
  const message = `the database was last used by a newer version (it has the step ${unknown}): start that version`;
  throw new AppError('unavailable', message);
};

/** The steps that have been run. Throws `unavailable` if this version does not know one of them. */
const stepsDone = async (writer: Kysely<Schema>): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM schema_steps`.execute(writer);
  const done = new Set(rows.map(({ name }) => name));
  refuseNewer(done);
  return done;
};

/** How many steps have to be run; undefined if there are no tables yet. Changes nothing. */
const stepsLeft = async (writer: Kysely<Schema>, engine: Engine): Promise<number | undefined> => {
  const { rows } = await (
    engine === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'`
      : sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_steps'`
  ).execute(writer);
  if (rows.length === 0) return undefined;
  const done = await stepsDone(writer);
  return migrations.filter(({ name }) => !done.has(name)).length;
};

const isCurrent = async (writer: Kysely<Schema>, engine: Engine): Promise<boolean> =>
  (await stepsLeft(writer, engine)) === 0;

/** Runs the steps that have not been run yet, all of them or only the `wanted` ones, in order. */
export const runSteps = async (
  transaction: Kysely<Schema>,
  engine: Engine,
  wanted?: ReadonlySet<string>,
): Promise<void> => {
  await sql`CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY)`.execute(transaction);
  const done = await stepsDone(transaction);
  refuseNewer(wanted ?? done);
  for (const migration of migrations) {
    if (done.has(migration.name) || wanted?.has(migration.name) === false) continue;
    for (const statement of migration.statements(engine === 'postgres' ? postgresWords : sqliteWords)) {
      await sql.raw(statement).execute(transaction);
    }
    await sql`INSERT INTO schema_steps (name) VALUES (${migration.name})`.execute(transaction);
  }
};

/**
 * Migrates the tables to this version. Nodes that start together take turns. Throws `unavailable`, worded for the
 * operator, if a newer version has migrated the database, or if another server uses the SQLite `file` or the PostgreSQL
 * database: tables are not changed under an older version that serves.
 * @param begun told how many steps tables of an older version need, before they are run
 */
export const migrate = async (
  writer: Kysely<Schema>,
  engine: Engine,
  file?: string,
  begun?: (steps: number) => void,
): Promise<void> => {
  const steps = await stepsLeft(writer, engine);
  if (steps === 0) return;
  const unlock = file === undefined ? undefined : lockForServer(file);
  try {
    await writer.transaction().execute(async (transaction) => {
      if (engine === 'postgres') {
        await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
        // Another node may have done it in the meantime, and be running.
        if (await isCurrent(transaction, engine)) return;
        await lockOutNodes(transaction);
      }
      if (steps !== undefined) begun?.(steps);
      await runSteps(transaction, engine);
    });
  } finally {
    unlock?.();
  }
};

/** For programs that only read: throws `unavailable` if the tables are not those of this version. */
export const requireCurrent = async (writer: Kysely<Schema>, engine: Engine): Promise<void> => {
  if (await isCurrent(writer, engine)) return;
  throw new AppError(
    'unavailable',
    'the tables are those of an older version, or of none: start the server of this version first',
  );
};
