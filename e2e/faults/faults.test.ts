import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { scripts } from '../../src/simulator/scripts.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { chat, type Rig, startRig, UPSTREAM_KEY } from './rig.ts';

/** Answers that only a time limit ends have a short limit; the others have time to come, also on a busy machine. */
const HANGING_PATIENCE = JSON.stringify({
  first_byte_timeout_ms: 4000,
  first_event_timeout_ms: 6000,
  whole_reply_timeout_ms: 12_000,
  idle_timeout_ms: 4000,
});
const PATIENCE = JSON.stringify({
  first_byte_timeout_ms: 60_000,
  first_event_timeout_ms: 60_000,
  whole_reply_timeout_ms: 60_000,
  idle_timeout_ms: 60_000,
});
const IN_TIME_MS = 45_000;
const READ_OF_ENDLESS_BYTES = 3_000_000;
const ANSWER = 'All is well with the simulated upstream.';

/** Arguments that keep a script short. */
const argumentOf: Readonly<Record<string, string>> = {
  'slow-bytes': '-1',
  silent: '-300',
  'big-event': '-8',
};

const modelOf = (name: string): string => `fault-${name}${argumentOf[name] ?? ''}`;

interface Seen {
  readonly status: number;
  readonly headers: string;
  readonly text: string;
}

let simulator: RunningSimulator;
let rig: Rig;

beforeAll(async () => {
  simulator = await startSimulator();
  const names = Object.keys(scripts);
  const hanging = names.filter((name) => scripts[name]?.hangs === true).map(modelOf);
  const coming = ['m', ...names.filter((name) => scripts[name]?.hangs !== true).map(modelOf)];
  const ratios = Object.fromEntries([...hanging, ...coming].map((model) => [model, 1]));
  rig = await startRig(
    [
      { baseUrl: simulator.url, models: hanging.join(','), setting: HANGING_PATIENCE },
      { baseUrl: simulator.url, models: coming.join(','), setting: PATIENCE },
    ],
    { ModelRatio: ratios, CompletionRatio: ratios, AutomaticDisableChannelEnabled: true },
  );
  // Making the first bomb blocks the process, so it is made before the timed scripts.
  await (await chat(rig, { model: 'fault-gzip-bomb' })).text();
});

afterAll(async () => {
  await rig.stop();
  await simulator.stop();
});

/** Reads an answer to its end, whatever that is, or leaves in the middle of an endless one. */
const read = async (name: string, stream: boolean): Promise<Seen> => {
  const response = await chat(rig, { model: modelOf(name), stream });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    // Leaving the loop closes the connection.
    if (scripts[name]?.outcome === 'endless' && length > READ_OF_ENDLESS_BYTES) break;
  }
  return {
    status: response.status,
    headers: JSON.stringify([...response.headers]),
    text: Buffer.concat(parts).toString(),
  };
};

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly error?: { readonly message: string; readonly type: string; readonly code: unknown };
}

const dataOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/(?:\r\n\r\n|\n\n|\r\r)/)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '');

const chunksOf = (text: string): Chunk[] =>
  dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Chunk);

const contentOf = (text: string): string =>
  chunksOf(text)
    .map((chunk) => chunk.choices?.[0]?.delta?.content ?? '')
    .join('');

const expectError = (value: unknown): void => {
  expect(value).toMatchObject({
    error: { message: expect.stringMatching(/request id/), type: expect.any(String) },
  });
};

const expectAnswer = (name: string, stream: boolean, { status, text }: Seen): void => {
  expect(status, text.slice(0, 500)).toBe(200);
  const whole = name === 'big-event' ? /^b+/ : ANSWER;
  if (stream) expect(contentOf(text)).toMatch(whole);
  else
    expect(
      (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message.content,
    ).toMatch(whole);
};

const expectOutcome = (name: string, stream: boolean, seen: Seen): void => {
  switch (scripts[name]?.outcome) {
    case 'answer':
      expectAnswer(name, stream, seen);
      break;
    case 'refused':
      expect(seen.status, seen.text.slice(0, 500)).toBeGreaterThanOrEqual(400);
      expectError(JSON.parse(seen.text));
      break;
    case 'broken-off':
      if (seen.status === 200) {
        expect(seen.text).toMatch(/\[DONE\]\s*$/);
        expectError(chunksOf(seen.text).at(-1));
      } else {
        expectError(JSON.parse(seen.text));
      }
      break;
    case 'endless':
      expect(seen.text.length).toBeGreaterThan(READ_OF_ENDLESS_BYTES - 1);
      break;
    case undefined:
      throw new Error('there is no such script');
  }
};

const cases = Object.entries(scripts).flatMap(([name, { streamOnly, wholeOnly }]) => [
  ...(wholeOnly === true ? [] : [{ name, stream: true }]),
  ...(streamOnly === true ? [] : [{ name, stream: false }]),
]);

describe.concurrent('an upstream that misbehaves', () => {
  test.each(cases)(
    '$name, stream $stream: a well-formed answer or error in time, without our key',
    { timeout: IN_TIME_MS },
    async ({ name, stream }) => {
      const seen = await read(name, stream);
      expectOutcome(name, stream, seen);
      expect((seen.headers + seen.text).includes(UPSTREAM_KEY.slice(3))).toBe(false);
    },
  );
});

describe('after all of them', () => {
  test('every hold is closed, the audit is clean, nothing is left open, and the server answers', async () => {
    const good = await chat(rig);
    expect(good.status).toBe(200);
    await expect.poll(() => rig.openHolds()).toBe(0);
    expect(await brokenRules(rig.database)).toEqual([]);
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('the key is in no log row, no log line and no reason for switching a channel off', async () => {
    const written = JSON.stringify([await rig.logs(), rig.logged, rig.disabled]);
    expect(written.includes(UPSTREAM_KEY.slice(3))).toBe(false);
    expect(rig.disabled.length).toBeGreaterThan(0);
  });

  test('no redirect was followed', async () => {
    expect((await simulator.calls()).trapped).toBe(0);
  });
});
