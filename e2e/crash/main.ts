import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/server/store/database/database.ts';
import { postgresOrSkip } from '../support/postgres-or-skip.ts';
import { startSimulator } from '../../src/simulator/start.ts';
import {
  makeChannel,
  makeToken,
  type Operator,
  setOption,
  setUp,
  signIn,
  rootPassword,
} from '../support/operator.ts';
import { pause, startProgram } from '../support/program.ts';
import { serverFile, startTollgate, type Tollgate } from '../support/tollgate.ts';
import { diceOf } from './dice.ts';
import { countsOf, inspect, type Counts, type Where } from './inspect.ts';
import { CRASH_MODEL, LONG_ANSWER, LONG_MODEL, NEW_USER_QUOTA, runLoad, SILENT_ANSWER } from './load.ts';
import { connectGateway, moveSite, startGateway } from './wallet-load.ts';

/**
 * Kills the server with SIGKILL at random moments under mixed load, restarts it, and checks that no quota was lost or
 * charged twice: `npm run crash -- --rounds 500 --engine postgres --seed 7`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'sqlite' },
    callers: { type: 'string', default: '12' },
  },
});

const rounds = Number(values.rounds);
const seed = Number(values.seed);
const dice = diceOf(seed);
const LONGEST_ROUND_MS = 900;
const DIES_IN_RECOVERY = 0.1;
const CHANGES_MASTER_KEY = 0.2;

console.log(`${rounds} rounds on ${values.engine}, seed ${seed}`);

const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-crash-'));
const postgres = values.engine === 'postgres' ? await postgresOrSkip() : undefined;
const where: Where =
  postgres === undefined
    ? { engine: 'sqlite', file: join(dataDir, 'tollgate.db') }
    : { engine: 'postgres', url: postgres.url };
const simulator = await startSimulator({ speed: 400 });
const payments = await startGateway();
const RIVAL = { username: 'rival', password: 'long enough for two' };
const environment: Record<string, string> = {
  PORT: '0',
  TOLLGATE_DATA_DIR: dataDir,
  TOLLGATE_REGISTER_LIMIT_PER_ADDRESS: '1000000',
  TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '1000000',
  TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: '1000000',
  TOLLGATE_API_LIMIT_PER_ADDRESS: '1000000000',
  ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
};
const start = () => startTollgate({ dataDir, env: environment });

const prepare = async (): Promise<string> => {
  const tollgate = await start();
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { [CRASH_MODEL]: 1, [LONG_MODEL]: 1 });
  await setOption(operator, 'CompletionRatio', { [CRASH_MODEL]: 1, [LONG_MODEL]: 1 });
  await setOption(operator, 'QuotaForNewUser', NEW_USER_QUOTA);
  await makeChannel(operator, { name: 'simulator', baseUrl: simulator.url, models: [CRASH_MODEL] });
  await makeLongModel(operator);
  await operator.call('/api/user/', { method: 'POST', body: { ...RIVAL, display_name: RIVAL.username } });
  await connectGateway(operator, payments, tollgate.url);
  const { key } = await makeToken(operator);
  await tollgate.program.end('SIGTERM');
  return key;
};

/** Makes two channels of the long model: a silent one with higher priority, and one with two keys that answers. */
const makeLongModel = async (operator: Operator): Promise<void> => {
  const models = [LONG_MODEL];
  const baseUrl = simulator.url;
  const silent = { name: 'silent', baseUrl, models, priority: 10, mapping: { [LONG_MODEL]: SILENT_ANSWER } };
  await makeChannel(operator, silent);
  const answering = { name: 'long', baseUrl, models, mapping: { [LONG_MODEL]: LONG_ANSWER } };
  await makeChannel(operator, { ...answering, keys: ['sk-one', 'sk-two'] });
  const haste = { [LONG_MODEL]: { deadline_ms: 50, hedge: true } };
  await setOption(operator, 'upstream_setting.first_token', haste);
  await setOption(operator, 'upstream_setting.hedge_percent', 100);
};

const total = {
  exact: 0,
  upstream: 0,
  admin: 0,
  redeemed: 0,
  paid: 0,
  background: 0,
};

/** One round: load, crash, restart, inspection. Returns the server for the next round. */
const playRound = async (tollgate: Tollgate, round: number, key: string, before: Counts) => {
  const [operator, rival] = await Promise.all([
    signIn(tollgate.url, 'root', rootPassword),
    signIn(tollgate.url, RIVAL.username, RIVAL.password),
  ]);
  await Promise.all([simulator.reset(), moveSite(operator, tollgate.url)]);
  const over = new AbortController();
  const callers = Number(values.callers);
  const { url } = tollgate;
  const load = runLoad({ url, key, operator, rival, payments, dice, round, callers, over: over.signal });
  const change = dice.unit() < CHANGES_MASTER_KEY ? changeMasterKey() : undefined;
  await pause(dice.between(5, LONGEST_ROUND_MS));
  await tollgate.program.end('SIGKILL');
  await change;
  over.abort();
  const seen = await load;
  const arrived = await simulator.calls();
  // Polls for background responses name no model.
  const others = (arrived.byModel[''] ?? 0) + (arrived.byModel[SILENT_ANSWER] ?? 0);
  const answeredUpstream = arrived.count - others;
  if (dice.unit() < DIES_IN_RECOVERY) await dieWhileStarting();
  const next = await start();
  const inspection = await inspect(where, seen, before, answeredUpstream, { url: next.url, key });
  total.background += seen.background.size;
  total.exact += inspection.exact;
  total.upstream += answeredUpstream;
  total.admin += seen.registered.length + seen.tokenIds.length;
  total.redeemed += seen.redeemed.length;
  total.paid += new Set(seen.paid).size;
  return { ...inspection, next };
};

/** Changes the master key beside the server; half of the times the command is killed, too. */
const changeMasterKey = async (): Promise<void> => {
  const command = startProgram('node', [serverFile, 'change-master-key'], environment);
  if (dice.unit() < 0.5) await command.printed(/The new master key is in/);
  else await pause(dice.between(100, 1500));
  await command.end('SIGKILL');
};

/** Kills the server again while it recovers from the previous crash. */
const dieWhileStarting = async (): Promise<void> => {
  const starting = startProgram('node', [serverFile], environment);
  await pause(dice.between(100, 1000));
  await starting.end('SIGKILL');
};

/** How often the master key was changed: each change leaves the key before it beside the new one. */
const changesOfMasterKey = async (): Promise<number> =>
  (await readdir(dataDir)).filter((name) => /^master\.key\.\d/.test(name)).length;

let failed = 0;
let changes = 0;
try {
  const key = await prepare();
  const database = await openDatabase(where);
  let counts = await countsOf(database);
  await database.close();
  let tollgate = await start();
  for (let round = 1; round <= rounds; round++) {
    const { wrong, after, next } = await playRound(tollgate, round, key, counts);
    counts = after;
    tollgate = next;
    if (wrong.length > 0) failed++;
    for (const sentence of wrong) console.log(`round ${round}: ${sentence}`);
    if (round % 25 === 0) console.log(`${round} rounds, ${failed} failed`);
  }
  await tollgate.program.end('SIGKILL');
  changes = await changesOfMasterKey();
} finally {
  await simulator.stop();
  await payments.stop();
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

console.log(
  `${total.upstream} calls reached the upstream; those answered whole, ${total.exact}, were charged exactly but for what ` +
    `is named above; ${total.admin} acknowledged changes, ` +
    `${total.background} responses in the background charged exactly, ${total.redeemed} codes and ${total.paid} paid orders kept; ` +
    `the master key was changed ${changes} times`,
);
console.log(
  failed === 0 ? `clean after ${rounds} kills` : `${failed} of ${rounds} rounds failed, seed ${seed}`,
);
process.exit(failed === 0 ? 0 : 1);
