import { parseArgs } from 'node:util';
import { providerOf } from '../../src/server/providers/registry.ts';
import { startRig } from '../faults/rig.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { check, type Problem } from './check.ts';
import { checkOwn, ownChannel, ownChatIn } from './own-formats.ts';
import { checkPlain, plainCallIn, plainChannel } from './plain-calls.ts';
import { chatIn, type Exchange, readRecordings, type Recording } from './recordings.ts';
import { startReplay } from './replay.ts';
import { checkNextTurn, checkRoundTrip } from './requests.ts';
import { printOthers, printTable, type Result } from './table.ts';
import { stopWithin, within } from './within.ts';

/**
 * Replays recorded exchanges. Callers of all four formats request each recorded chat through the gateway: a caller of the
 * recorded format must get the recorded bytes, every other caller the same text, tool calls, reasoning, stop reason and
 * usage. `meaning/` reads the content of both sides and shares no code with the server. Calls other than chats have one
 * format each, whose caller must get the recorded bytes.
 */

const folder = process.env['TOLLGATE_RECORDINGS'];
if (folder === undefined || folder === '') {
  process.stderr.write('Set TOLLGATE_RECORDINGS to the folder of the recordings.\n');
  process.exit(2);
}

/** The limit for one check, and for stopping. */
const MOST_MS = 60_000;
const MOST_TO_STOP_MS = 30_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `--only word`: the recordings whose id contains it. */
const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values;
const recordings = (await readRecordings(folder, (file) => print(`${file} is not a recording`))).filter(
  ({ id }) => id.includes(only),
);
const allOf = <Kind>(read: (recording: Recording, model: string) => Kind | undefined): Kind[] =>
  recordings.flatMap((recording, at) => read(recording, `recorded-${String(at + 1)}`) ?? []);
const [exchanges, own, plain] = [allOf(chatIn), allOf(ownChatIn), allOf(plainCallIn)];
const all = [...exchanges, ...own, ...plain];

const replay = await startReplay(all.map((exchange) => ({ ...exchange, id: exchange.model })));
const addressOf = (exchange: (typeof all)[number]): string =>
  replay.addressOf({ ...exchange, id: exchange.model });
const rig = await startRig(
  [
    ...exchanges.map((exchange) => ({
      type: typeOfFormat(exchange.format),
      baseUrl: addressOf(exchange),
      models: exchange.model,
      autoDisable: false,
    })),
    ...own.map((exchange) => ownChannel(exchange, addressOf(exchange))),
    ...plain.map((exchange) => plainChannel(exchange, addressOf(exchange))),
  ],
  {
    ModelRatio: Object.fromEntries(all.map(({ model }) => [model, 1])),
    // Allows models without a price: the model that a tool draws pictures with is named only in the recording.
    SelfUseModeEnabled: true,
    RetryTimes: 0,
    // Recorded requests name objects in the account they were recorded with.
    'global.account_objects_enabled': true,
    'global.unpriced_work_enabled': true,
  },
  1_000_000_000_000,
  (type) => oneFormatUpstream(type) ?? providerOf(type),
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
    const checked = { exchange, caller };
    results.push({ ...checked, what: 'answer', problem: await attempt(() => check(rig, exchange, caller)) });
    if (exchange.status >= 400) continue;
    results.push(
      { ...checked, what: 'request', problem: await attempt(() => checkRoundTrip(exchange, caller)) },
      { ...checked, what: 'next turn', problem: await attempt(() => checkNextTurn(exchange, caller)) },
    );
  }
  return results;
};

const results: Result[] = [];
for (const exchange of exchanges) results.push(...(await checksOf(exchange)));
for (const exchange of own)
  for (const caller of formats) {
    const problem = await attempt(() => checkOwn(rig, exchange, caller));
    results.push({ exchange, caller, what: 'answer', problem });
  }
for (const exchange of plain) {
  const problem = await attempt(() => checkPlain(rig, exchange));
  results.push({ exchange, caller: exchange.kind.caller, what: 'answer', problem });
}
const failures = printTable(results, print);
printOthers(
  recordings.filter((_, at) => !all.some(({ model }) => model === `recorded-${String(at + 1)}`)),
  print,
);
process.exitCode = failures === 0 && results.length > 0 ? 0 : 1;
await within(MOST_TO_STOP_MS, 'stopping the gateway', () => rig.stop());
await within(MOST_TO_STOP_MS, 'stopping the upstream', () => replay.stop());
stopWithin(MOST_TO_STOP_MS);
