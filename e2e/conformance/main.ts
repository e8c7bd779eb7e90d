import { startRig } from '../faults/rig.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { check, type Problem } from './check.ts';
import { type Exchange, readExchanges } from './recordings.ts';
import { startReplay } from './replay.ts';
import { checkNextTurn, checkRoundTrip } from './requests.ts';
import { printTable, type Result } from './table.ts';
import { stopWithin, within } from './within.ts';

/**
 * Replays recorded exchanges: each of the four kinds of caller asks for each of them through the gateway. A caller of the
 * recorded format must get the recorded bytes, every other the same text, calls, stop reason and usage.
 */

const folder = process.env['TOLLGATE_RECORDINGS'];
if (folder === undefined || folder === '') {
  process.stderr.write('Set TOLLGATE_RECORDINGS to the folder of the recordings.\n');
  process.exit(2);
}

/** No check takes so long, and nothing takes so long to stop. */
const MOST_MS = 60_000;
const MOST_TO_STOP_MS = 30_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const exchanges = await readExchanges(folder, (file) => print(`${file} is no recording`));
const replay = await startReplay(exchanges.map((exchange) => ({ ...exchange, id: exchange.model })));
const rig = await startRig(
  exchanges.map((exchange) => ({
    type: typeOfFormat(exchange.format),
    baseUrl: replay.addressOf({ ...exchange, id: exchange.model }),
    models: exchange.model,
    autoDisable: false,
  })),
  {
    ModelRatio: Object.fromEntries(exchanges.map(({ model }) => [model, 1])),
    // What an upstream's tool draws with is named by the exchange alone.
    SelfUseModeEnabled: true,
    RetryTimes: 0,
  },
  1_000_000_000_000,
  oneFormatUpstream,
);

const attempt = async (run: () => Promise<Problem> | Problem): Promise<Problem> => {
  try {
    return await within(MOST_MS, 'this check', async () => run());
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
process.exitCode = failures === 0 && results.length > 0 ? 0 : 1;
await within(MOST_TO_STOP_MS, 'stopping the gateway', () => rig.stop());
await within(MOST_TO_STOP_MS, 'stopping the upstream', () => replay.stop());
stopWithin(MOST_TO_STOP_MS);
