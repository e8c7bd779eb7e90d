import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkOwn, ownChannel, ownChatIn, type OwnExchange } from '../conformance/own-formats.ts';
import { readRecordings } from '../conformance/recordings.ts';
import { startReplay } from '../conformance/replay.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { formats } from '../support/one-format.ts';

/** Recorded answers of upstreams with their own formats, converted for callers of each of the four formats. */

const folder = process.env['TOLLGATE_RECORDINGS'];
const recordings = folder === undefined ? [] : await readRecordings(folder, () => undefined);
const exchanges = recordings.flatMap((recording) => ownChatIn(recording, recording.id) ?? []);

let replay: Awaited<ReturnType<typeof startReplay>>;
let rig: Rig;

beforeAll(async () => {
  replay = await startReplay(exchanges);
  rig = await startRig(
    exchanges.map((exchange) => ownChannel(exchange, replay.addressOf(exchange))),
    { ModelRatio: Object.fromEntries(exchanges.map(({ id }) => [id, 1])), RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  await replay.stop();
});

describe.skipIf(exchanges.length === 0).each(formats)(
  'recordings for a caller of %s (needs TOLLGATE_RECORDINGS)',
  (caller) => {
    const problemsOf = async (those: readonly OwnExchange[]): Promise<unknown[]> => {
      const problems: unknown[] = [];
      for (const exchange of those) {
        const problem = await checkOwn(rig, exchange, caller);
        // A documented difference is not a text.
        if (typeof problem === 'string') problems.push({ id: exchange.id, problem });
      }
      return problems;
    };

    test('is told what each of them said', async () => {
      const answers = exchanges.filter(({ status }) => status === 200);
      expect(answers.length).toBeGreaterThan(0);
      expect(await problemsOf(answers)).toEqual([]);
    });

    test('is told of their refusals as such', async () => {
      expect(await problemsOf(exchanges.filter(({ status }) => status >= 400))).toEqual([]);
    });
  },
);
