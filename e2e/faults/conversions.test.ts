import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import type { Outcome } from '../../src/simulator/script.ts';
import { scripts } from '../../src/simulator/scripts.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { callerRequest } from '../support/caller-request.ts';
import { chatPaths, formatOfType, formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { type Rig, type RigChannel, startRig, UPSTREAM_KEY } from './rig.ts';

/** Every kind of misbehaviour, by an upstream of each format, for a caller of each format. */

/** Answers that only a time limit ends have a short limit; answers that must arrive have enough time on a busy machine. */
const HANGING_PATIENCE_MS = 3000;
const PATIENCE_MS = 60_000;
const settingOf = (limitMs: number): string =>
  JSON.stringify({
    first_byte_timeout_ms: limitMs,
    first_event_timeout_ms: limitMs,
    whole_reply_timeout_ms: limitMs,
    idle_timeout_ms: limitMs,
  });
const READ_OF_ENDLESS_BYTES = 1_000_000;
const ANSWER = 'All is well with the simulated upstream.';

const argumentOf: Readonly<Record<string, string>> = {
  'slow-bytes': '-1',
  silent: '-300',
  'big-event': '-1',
};

/** These take seconds of processor time each and test only the coding of the body, so one format is enough. */
const HEAVY: ReadonlySet<string> = new Set(['gzip-bomb']);

const modelOf = (upstream: DialectName, name: string): string =>
  `${upstream}-fault-${name}${argumentOf[name] ?? ''}`;

const upstreamOf = (type: number): Upstream | undefined => {
  const upstream = oneFormatUpstream(type);
  const format = formatOfType(type);
  if (upstream === undefined || format === undefined) return undefined;
  return {
    ...upstream,
    address: ({ baseUrl, key }, { model, stream }) => ({
      url: baseUrl + chatPaths[format](model, stream),
      headers: { authorization: `Bearer ${key.reveal()}` },
    }),
  };
};

let simulator: RunningSimulator;
let rig: Rig;

const channelOf = (format: DialectName, names: readonly string[], limitMs: number): RigChannel => ({
  type: typeOfFormat(format),
  baseUrl: simulator.url,
  models: names.map((name) => modelOf(format, name)).join(','),
  modelMapping: JSON.stringify(
    Object.fromEntries(
      names.map((name) => [modelOf(format, name), modelOf(format, name).slice(format.length + 1)]),
    ),
  ),
  setting: settingOf(limitMs),
  autoDisable: false,
});

beforeAll(async () => {
  simulator = await startSimulator();
  const names = Object.keys(scripts);
  const hanging = names.filter((name) => scripts[name]?.hangs === true);
  const coming = names.filter((name) => scripts[name]?.hangs !== true);
  const models = formats.flatMap((format) => names.map((name) => modelOf(format, name)));
  const ratios = Object.fromEntries(models.map((model) => [model, 1]));
  rig = await startRig(
    formats.flatMap((format) => [
      channelOf(format, hanging, HANGING_PATIENCE_MS),
      channelOf(format, coming, PATIENCE_MS),
    ]),
    { ModelRatio: ratios, CompletionRatio: ratios, RetryTimes: 0 },
    1_000_000_000_000,
    upstreamOf,
  );
});

afterAll(async () => {
  await rig.stop();
  await simulator.stop();
});

interface Seen {
  readonly status: number;
  readonly bytes: Buffer;
  readonly headers: string;
}

const ask = async (
  upstream: DialectName,
  caller: DialectName,
  name: string,
  stream: boolean,
): Promise<Seen> => {
  const { path, body } = callerRequest(caller, modelOf(upstream, name), { stream });
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (scripts[name]?.outcome === 'endless' && length > READ_OF_ENDLESS_BYTES) break;
  }
  const headers = JSON.stringify([...response.headers]);
  return { status: response.status, bytes: Buffer.concat(parts), headers };
};

const expectRefused = ({ bytes }: Seen): void => {
  expect(JSON.parse(bytes.toString())).toMatchObject({ error: { message: expect.stringMatching(/./) } });
};

const expectOutcome = async (
  outcome: Outcome | undefined,
  caller: DialectName,
  stream: boolean,
  seen: Seen,
): Promise<void> => {
  const shown = seen.bytes.toString('utf8', 0, 600);
  if (outcome === 'endless')
    return expect(seen.bytes.length, shown).toBeGreaterThan(READ_OF_ENDLESS_BYTES - 1);
  if (outcome === 'refused') expect(seen.status, shown).toBeGreaterThanOrEqual(400);
  if (seen.status >= 400) {
    expect(outcome, shown).not.toBe('answer');
    return expectRefused(seen);
  }
  const said = saidIn(await eventsOf(chatDialects[caller], seen.bytes, { stream }));
  if (outcome === 'broken-off') expect(said.error, shown).toBeDefined();
  else
    expect(said.text.slice(0, ANSWER.length), shown).toMatch(
      /^(?:All is well with the simulated upstream\.|b+)$/,
    );
};

/** Only where bytes are passed on: an endless event, and one too large to be parsed, are passed on too. */
const outcomeFor = (name: string, upstream: DialectName, caller: DialectName): Outcome | undefined =>
  name === 'endless-event' && upstream !== caller ? 'broken-off' : scripts[name]?.outcome;

const cases = Object.entries(scripts).flatMap(([name, { streamOnly, wholeOnly }]) => [
  ...(wholeOnly === true || HEAVY.has(name) ? [] : [{ name, stream: true }]),
  ...(streamOnly === true || HEAVY.has(name) ? [] : [{ name, stream: false }]),
]);

interface Walked {
  readonly name: string;
  readonly upstream: DialectName;
  readonly caller: DialectName;
}

/**
 * 64 MB are read of each of these before a limit ends them, which is the same in every format: each format is an upstream's once,
 * and a caller's. An endless event is passed on as it comes, and a megabyte of that is enough.
 */
const isWalked = ({ name, upstream, caller }: Walked): boolean => {
  const follows = formats[(formats.indexOf(upstream) + 1) % formats.length] === caller;
  if (name === 'endless-body') return follows || (upstream === caller && upstream === formats[0]);
  return name !== 'endless-event' || follows || upstream === caller;
};

const inEachFormat = formats
  .flatMap((upstream) => formats.flatMap((caller) => cases.map((one) => ({ upstream, caller, ...one }))))
  .filter(isWalked);

/** These wait for a time limit, so they run at the same time. */
const isWaitedFor = ({ name }: Pick<Walked, 'name'>): boolean =>
  scripts[name]?.hangs === true || name === 'slow-bytes' || name === 'silent';

describe.each([
  ['takes its time', inEachFormat.filter(isWaitedFor)],
  ['misbehaves', inEachFormat.filter((one) => !isWaitedFor(one))],
])('an upstream that %s', (_, table) => {
  test.concurrent.each(table)(
    '$name of $upstream, stream $stream: a caller of $caller gets a well-formed answer or error, without our key',
    async ({ upstream, caller, name, stream }) => {
      const outcome = outcomeFor(name, upstream, caller);
      let seen = await ask(upstream, caller, name, stream);
      // On a busy machine many large answers arrive at the same time; then the caller is told to try again.
      while (outcome === 'answer' && seen.bytes.includes('too many large answers at once'))
        seen = await ask(upstream, caller, name, stream);
      await expectOutcome(outcome, caller, stream, seen);
      expect((seen.headers + seen.bytes.toString()).includes(UPSTREAM_KEY.slice(3))).toBe(false);
    },
  );
});

test('after all of them every hold is closed, the audit is clean and no connection is left open', async () => {
  await expect.poll(() => rig.openHolds()).toBe(0);
  expect(await brokenRules(rig.database)).toEqual([]);
  await expect.poll(async () => (await simulator.calls()).open).toBe(0);
});
