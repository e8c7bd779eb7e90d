import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTaskScene, type SentTask, TASK_COST, type TaskScene } from '../../http/testing/task-scene.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** Tasks that an upstream read, and then did not answer as it should: whether it makes them, nobody knows. */

let scene: TaskScene;
/** An upstream whose channels are second choice. */
let spare: RunningSimulator;
beforeAll(async () => {
  [scene, spare] = await Promise.all([openTaskScene(), startSimulator()]);
  const { stage } = scene.scene;
  for (const [type, models] of [
    [2, 'mj_imagine'],
    [36, 'suno_music'],
  ] as const)
    await stage.channel(scene.root, { type, models, baseUrl: spare.url, priority: -1 });
  await scene.scene.set('RetryTimes', 3);
});
afterAll(async () => {
  await scene.close();
  await spare.stop();
});

const drawn = (prompt: string): Promise<SentTask> => scene.imagine(prompt);
const sung = (prompt: string): Promise<SentTask> =>
  scene.send('/suno/submit/music', { prompt }, { authorization: `Bearer sk-${scene.key}` });

const unsure = [
  ['a connection that breaks once the task was sent', 'drop', 502],
  ['an answer that breaks off in the middle', 'cut', 502],
  ['an answer that cannot be read', 'garbled', 502],
  ['the 504 of a proxy', 'gateway', 504],
] as const;

it.each(
  unsure.flatMap(([what, word, status]) => [
    [what, 'drawing', word, drawn, status] as const,
    [what, 'song', word, sung, status] as const,
  ]),
)('after %s, no other channel is asked for the %s, and the hold is given back once', async (...of) => {
  const [, , word, submit, status] = of;
  const before = await scene.money();
  // The first choice, or, once that keeps failing, the second.
  const askedOf = async () => (await scene.simulator.calls()).count + (await spare.calls()).count;
  const asked = await askedOf();
  const answer = await submit(`a fox ${word}`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(await askedOf()).toBe(asked + 1);
  expect(await scene.money()).toEqual(before);
  expect(await brokenRules(scene.scene.server.parts.stores.database)).toEqual([]);
});

it('a task with an uncertain outcome is a cost of the house, unknown if the channel has no cost settings', async () => {
  interface HouseDay {
    readonly kind: string;
    readonly count: number;
    readonly uncosted: number;
  }
  // Of both channels: one that timed out rests.
  const counted = async (): Promise<Pick<HouseDay, 'count' | 'uncosted'>> => {
    const { data } = await scene.scene.asRoot('/api/data/house_costs');
    const rows = (data as HouseDay[]).filter(({ kind }) => kind === 'attempt');
    return {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      uncosted: rows.reduce((sum, { uncosted }) => sum + uncosted, 0),
    };
  };
  const before = (await counted()).count;
  expect((await drawn('a fox drop')).status).toBe(502);
  await expect.poll(async () => (await counted()).count).toBe(before + 1);
  expect(await counted()).toMatchObject({ uncosted: before + 1 });
});

it('a task that was never sent goes to the next channel, and is held once', async () => {
  const {
    root,
    scene: { stage, server },
  } = scene;
  const dead = await stage.channel(root, {
    type: 2,
    models: 'mj_imagine',
    baseUrl: 'http://127.0.0.1:1',
    priority: 9,
  });
  const before = await scene.money();
  expect(await drawn('a fox')).toMatchObject({ status: 200, body: { code: 1 } });
  expect(await scene.money()).toEqual({
    ...before,
    user: before.user - TASK_COST,
    token: before.token - TASK_COST,
    held: before.held + TASK_COST,
  });
  await server.parts.channels.delete(root, dead.id);
});

it('a task that an upstream refused goes to the next channel', async () => {
  const before = await spare.calls();
  const answer = await drawn('broken fox');
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([502, 'true']);
  expect((await spare.calls()).count).toBe(before.count + 1);
});

/** Draws with a broker as the first choice that answers like this. */
const drawnAfter = async (status: number, reply: object, prompt = 'a fox'): Promise<SentTask> => {
  const broker = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status).end(JSON.stringify(reply)));
  });
  const { root, scene: inner } = scene;
  const first = { type: 2, models: 'mj_imagine', baseUrl: await listening(broker), priority: 9 };
  const { id } = await inner.stage.channel(root, first);
  const answer = await drawn(prompt);
  await inner.server.parts.channels.delete(root, id);
  hangUp(broker);
  return answer;
};

it.each([
  [200, 23, 'its queue is full', true],
  [200, 3, 'it has no account', true],
  [200, 24, 'the prompt is banned', false],
  [400, 4, 'no such model', true],
  [400, 24, 'the prompt is banned', false],
])(
  'after %i with the code %i of a broker, %s: another channel is asked: %s',
  async (status, code, description, goesOn) => {
    const { body } = await drawnAfter(status, { code, description });
    expect(body).toMatchObject(goesOn ? { code: 1 } : { description });
  },
);

it('what the first channel refused says nothing about a second that took the task and broke off', async () => {
  const before = (await spare.calls()).count;
  const { status, headers } = await drawnAfter(
    200,
    { code: 23, description: 'its queue is full' },
    'a fox drop',
  );
  expect([status, headers.get('x-should-retry')]).toEqual([502, 'false']);
  expect((await spare.calls()).count).toBe(before);
});
