import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { builtServer, buildWhereOld } from '../../scripts/build-where-old.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeChannel, makeToken, setOption, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** After so many calls the code is compiled. A minor collection takes place about every 120 calls. */
const WARM_UP_CALLS = 1200;
/** So many more when the number of callers changes. */
const CHANGE_CALLS = 300;
const CALLS = 800;
/** A call moves about a tenth of this; a call whose objects survive until the next major collection, some 3,000. */
const MOST_BYTES = 1000;

const collection = z.object({ gc: z.string(), start_object_size: z.number(), promoted: z.number() });
/** The database's threads have heaps of their own, much smaller ones. */
const MAIN_HEAP_BYTES = 40_000_000;

/** Bytes that minor collections of the main heap have promoted to the old generation, by Node's own trace. */
const promotedIn = (output: string): number[] =>
  output
    .split('\n')
    .flatMap((line) => /GC: (\{.*\})/.exec(line)?.[1] ?? [])
    .map((text) => collection.parse(JSON.parse(text)))
    .filter(({ gc, start_object_size: size }) => gc === 's' && size > MAIN_HEAP_BYTES)
    .map(({ promoted }) => promoted);

let simulator: RunningSimulator;
let tollgate: Tollgate;
let key: string;

beforeAll(async () => {
  // The use of memory depends on how the code was built, so this tests the built server.
  await buildWhereOld(builtServer);
  simulator = await startSimulator();
  tollgate = await startTollgate({ file: builtServer.file, nodeFlags: ['--trace-gc-nvp'] });
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { m: 0.01 });
  await makeChannel(operator, { name: 'only', baseUrl: simulator.url, models: ['m'] });
  ({ key } = await makeToken(operator, { unlimited_quota: true }));
});
afterAll(async () => {
  await tollgate.stop();
  await simulator.stop();
});

const call = async (): Promise<number> => {
  const reply = await fetch(`${tollgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'say hello' }] }),
  });
  await reply.arrayBuffer();
  return reply.status;
};

const calls = async (count: number, callers: number): Promise<void> => {
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0) expect(await call()).toBe(200);
  };
  await Promise.all(Array.from({ length: callers }, caller));
};

let isWarm = false;

test.each([
  { name: 'a lone caller', callers: 1 },
  // One of these calls is always running.
  { name: 'ten callers', callers: 10 },
])(
  '$name: a finished call is collected at once, and hardly any of it is promoted to the old generation',
  async ({ callers }) => {
    await calls(isWarm ? CHANGE_CALLS : WARM_UP_CALLS, callers);
    isWarm = true;
    const before = tollgate.program.output().length;
    await calls(CALLS, callers);
    const promoted = promotedIn(tollgate.program.output().slice(before));
    expect(promoted.length).toBeGreaterThan(1);
    expect(promoted.reduce((sum, bytes) => sum + bytes, 0) / CALLS).toBeLessThan(MOST_BYTES);
  },
);
