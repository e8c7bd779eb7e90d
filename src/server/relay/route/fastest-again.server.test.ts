import { createServer, request, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';

/** Two real relays that choose the fastest of two upstreams, of which one becomes slow, and as quick as before. */

const CALL_EVERY_MS = 25;
const WELL_MS = 20;
const ILL_MS = 400;
const OTHER_MS = 120;
/** The decision of where most calls go is made of so many. */
const LAST = 40;
const MOST = 0.75;
/** A recovered upstream gets most calls again within this time (docs/decisions/0038). */
const BACK_MS = 30_000;

const delaysMs = { first: WELL_MS, other: OTHER_MS };
type Name = keyof typeof delaysMs;

const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const frameOf = (delta: object, finish: string | null, more: object = {}): string => {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const body = { id: 'c', object: 'chat.completion.chunk', model: 'm', choices, ...more };
  return `data: ${JSON.stringify(body)}\n\n`;
};

/** Where the last calls went, the newest at the end. */
const went: Name[] = [];
const servers: Server[] = [];
let scene: Scene;
let key = '';
let isOver = false;
let load: Promise<void>;

const startUpstream = async (name: Name): Promise<string> => {
  const server = createServer((asked, response) => {
    went.push(name);
    asked.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setTimeout(() => {
      response.write(frameOf({ role: 'assistant', content: 'Hi' }, null));
      response.end(`${frameOf({}, 'stop', { usage })}data: [DONE]\n\n`);
    }, delaysMs[name]);
  });
  await listening(server);
  servers.push(server);
  return addressOf(server);
};

/** On a connection of its own, so that either relay may get it. */
const call = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
    const asked = request(`${scene.server.url}/v1/chat/completions`, {
      agent: false,
      method: 'POST',
      headers,
    });
    asked.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    asked.on('error', reject);
    asked.end(JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }));
  });

const shareOf = (name: Name): number => went.slice(-LAST).filter((one) => one === name).length / LAST;

/** Waits until one gets most calls. @returns how long that took */
const untilMostGoTo = async (name: Name): Promise<number> => {
  const beganMs = performance.now();
  went.length = 0;
  await expect.poll(() => shareOf(name), { interval: 20 }).toBeGreaterThanOrEqual(MOST);
  return performance.now() - beganMs;
};

beforeAll(async () => {
  scene = await openScene({ TOLLGATE_RELAYS: '2' });
  await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
  await scene.set('routing_setting.choice', JSON.stringify({ models: { m: 'fastest' } }));
  for (const name of ['first', 'other'] as const)
    await scene.stage.channel(scene.root, {
      name,
      baseUrl: await startUpstream(name),
      models: 'm',
      weight: 1,
    });
  key = (await scene.spender('caller', 1_000_000_000)).key;
  load = (async () => {
    const running: Promise<number>[] = [];
    while (!isOver) {
      running.push(call());
      await pause(CALL_EVERY_MS);
    }
    expect(new Set(await Promise.all(running))).toEqual(new Set([200]));
  })();
});
afterAll(async () => {
  isOver = true;
  await load;
  await scene.close();
  for (const server of servers) hangUp(server);
});

it('an upstream that became slow loses its calls, and gets most of them back once it is quick again', async () => {
  await untilMostGoTo('first');
  delaysMs.first = ILL_MS;
  const leftMs = await untilMostGoTo('other');
  delaysMs.first = WELL_MS;
  const backMs = await untilMostGoTo('first');
  expect(leftMs).toBeLessThan(BACK_MS);
  expect(backMs).toBeLessThan(BACK_MS);
});
