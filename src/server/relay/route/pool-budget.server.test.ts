import { expect, it } from 'vitest';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

/** With everything failing, pools ask their upstream little more often than they are called. */

const here = setPoolScene();
const CALLS = 500;
const AT_ONCE = 25;
const KEYS = 20;

/** Calls of a pool in which every key fails like this. @returns how often the upstream was asked */
const askedWith = async (status: number, message: string, keys: number): Promise<number> => {
  const names = Array.from({ length: keys }, (_, at) => keyOf(`${status}${String(at)}`));
  for (const name of names) here.answers.set(name, { status, message });
  await here.pool(names);
  await here.pool(names.map((name) => `${name}-other`));
  for (const name of names) here.answers.set(`${name}-other`, { status, message });
  await here.scene.set('RetryTimes', 4);
  await here.scene.server.parts.refreshRouting();
  for (let round = 0; round < CALLS / AT_ONCE; round += 1) {
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => here.chat()));
    expect(statuses.filter((one) => one === 200)).toEqual([]);
  }
  return here.used.length;
};

it('sixty keys that were revoked at once hold up no call', async () => {
  const names = Array.from({ length: 60 }, (_, at) => keyOf(`gone${String(at)}`));
  for (const name of names.slice(0, -1)) here.answers.set(name, { status: 401, message: 'it is revoked' });
  await here.pool(names);
  expect(await here.chat()).toBe(200);
});

it.each([
  [503, 'overloaded'],
  [500, 'broken'],
  [429, 'too many requests'],
  [402, 'no money left'],
  [401, 'this key is revoked'],
])('%i of all keys: at most 1.2 calls for each', async (status, message) => {
  const asked = await askedWith(status, message, KEYS);
  expect(asked).toBeLessThanOrEqual(1.2 * CALLS);
});
