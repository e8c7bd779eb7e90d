import { startRig } from '../faults/rig.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { check, type Problem } from './check.ts';
import { type Exchange, readExchanges } from './recordings.ts';
import { startReplay } from './replay.ts';
import { checkNextTurn, checkRoundTrip } from './requests.ts';
import { printTable, type Result } from './table.ts';

/**
 * Replays recorded exchanges: each of the four kinds of caller asks for each of them through the gateway. A caller of the
 * recorded format must get the recorded bytes, every other the same text, calls, stop reason and usage.
 */

const folder = process.env['TOLLGATE_RECORDINGS'];
if (folder === undefined || folder === '') {
  process.stderr.write('Set TOLLGATE_RECORDINGS to the folder of the recordings.\n');
  process.exit(2);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const exchanges = await readExchanges(folder);
const replay = await startReplay(exchanges);
const rig = await startRig(
  exchanges.map((exchange) => ({
    type: typeOfFormat(exchange.format),
    baseUrl: replay.addressOf(exchange),
    models: exchange.id,
    autoDisable: false,
  })),
  {
    ModelRatio: Object.fromEntries(exchanges.map(({ id }) => [id, 1])),
    // What an upstream's tool draws with is named by the exchange alone.
    SelfUseModeEnabled: true,
    RetryTimes: 0,
  },
  1_000_000_000_000,
  oneFormatUpstream,
);

const attempt = async (run: () => Promise<Problem> | Problem): Promise<Problem> => {
  try {
    return await run();
  } catch (thrown) {
    return thrown instanceof Error ? `${thrown.message}` : String(thrown);
  }
};

const checksOf = async (exchange: Exchange): Promise<Result[]> => {
  const results: Result[] = [];
  for (const caller of formats) {
    const told = { exchange, caller };
    results.push({ ...told, what: 'answer', problem: await attempt(() => check(rig, exchange, caller)) });
    if (exchange.status >= 400) continue;
    results.push(
      { ...told, what: 'request', problem: await attempt(() => checkRoundTrip(exchange, caller)) },
      { ...told, what: 'next turn', problem: await attempt(() => checkNextTurn(exchange, caller)) },
    );
  }
  return results;
};

const results: Result[] = [];
for (const exchange of exchanges) results.push(...(await checksOf(exchange)));
const failures = printTable(results, print);
await rig.stop();
await replay.stop();
process.exitCode = failures === 0 ? 0 : 1;
