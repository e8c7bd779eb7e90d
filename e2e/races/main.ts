import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditDatabase } from '../../src/server/store/ledger/audit.ts';
import { openDatabase } from '../../src/server/store/database/database.ts';
import { createLedger } from '../../src/server/store/ledger/ledger.ts';
import { givenUser } from '../../src/server/store/testing/accounts.ts';
import { EDGE_QUOTA_UNITS, raceAtEdge } from '../../src/server/store/testing/edge-race.ts';
import { RACE_QUOTA_UNITS, raceForCode } from '../../src/server/store/testing/code-race.ts';
import { postgresOrSkip } from '../support/postgres-or-skip.ts';
import { createUserStore } from '../../src/server/store/people/user-store.ts';

/**
 * Many users redeem one code at the same moment, again and again, on PostgreSQL through two nodes: each time exactly one
 * succeeds. Then 200 calls of one user together hold, grow and use more than the balance: they get all of it, and not one
 * unit more.
 * `npm run races -- --rounds 1000 --people 100 --engine postgres`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    people: { type: 'string', default: '100' },
    engine: { type: 'string', default: 'sqlite' },
  },
});
const rounds = Number(values.rounds);
const people = Number(values.people);

const folder = await mkdtemp(join(tmpdir(), 'tollgate-races-'));
const postgres = values.engine === 'postgres' ? await postgresOrSkip() : undefined;
const where =
  postgres === undefined
    ? ({ engine: 'sqlite', file: join(folder, 'tollgate.db') } as const)
    : ({ engine: 'postgres', url: postgres.url } as const);

const wrong: string[] = [];
const database = await openDatabase(where);
// Two processes on one SQLite file are not supported; on PostgreSQL a second connection is a second node.
const other = postgres === undefined ? undefined : await openDatabase(where);
try {
  const ledger = createLedger(database);
  const second = other === undefined ? [] : [createLedger(other)];
  const users = createUserStore(database);
  const ids = await Promise.all(Array.from({ length: people }, () => givenUser(database, ledger, 0)));
  for (let round = 1; round <= rounds; round += 1) {
    const { claimed = 0, taken = 0 } = await raceForCode(database, [ledger, ...second], ids);
    if (claimed !== 1 || taken !== people - 1)
      wrong.push(`round ${round}: ${claimed} of ${people} got the code, ${taken} were refused`);
    if (round % 100 === 0) console.log(`${round} rounds, ${wrong.length} wrong`);
  }
  const EDGES = Math.max(1, Math.ceil(rounds / 100));
  for (let round = 1; round <= EDGES; round += 1) {
    const id = await givenUser(database, ledger, EDGE_QUOTA_UNITS);
    const charged = await raceAtEdge([ledger, ...second], id, `edge-${round}`, 200);
    if (charged !== EDGE_QUOTA_UNITS) wrong.push(`edge ${round}: ${charged} of ${EDGE_QUOTA_UNITS} units`);
  }
  let credited = 0;
  for (const id of ids) credited += (await users.byId(id))?.quotaUnits ?? 0;
  if (credited !== rounds * RACE_QUOTA_UNITS) wrong.push(`${credited} units were credited`);
  for (const { check, violations } of await auditDatabase(database, Date.now()))
    if (violations > 0) wrong.push(`audit: ${check}: ${violations}`);
} finally {
  await other?.close();
  await database.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

for (const sentence of wrong) console.log(sentence);
console.log(
  wrong.length === 0
    ? `${rounds} codes, ${people} users at each on ${values.engine}: one success each, the books are right`
    : `${wrong.length} findings`,
);
process.exit(wrong.length === 0 ? 0 : 1);
