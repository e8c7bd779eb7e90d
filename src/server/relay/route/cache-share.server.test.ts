import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { cachedAnswer } from '../testing/caching-upstream.ts';

/** What agents' sessions read from the caches of several keys, beside what they read from the cache of one. */

const SESSIONS = 12;
const TURNS = 16;
const SYSTEM = 'You write programs. '.repeat(400);

let upstream: Server;
let scene: Scene;
let caller = '';
let baseUrl = '';
/** By key: each beginning of a prompt that was answered with it. */
const caches = new Map<string, Set<string>>();
const dead = new Set<string>();
/** By what its agent was told first: the key that answered the session last. */
const seats = new Map<unknown, string>();
let [read, all, moves] = [0, 0, 0];

const tokensOf = (messages: readonly unknown[]): number => Math.ceil(JSON.stringify(messages).length / 4);

const answer = (key: string, messages: readonly unknown[]): object => {
  const seen = caches.get(key) ?? new Set<string>();
  caches.set(key, seen);
  let known = messages.length;
  while (known > 0 && !seen.has(JSON.stringify(messages.slice(0, known)))) known -= 1;
  for (let end = 1; end <= messages.length; end += 1) seen.add(JSON.stringify(messages.slice(0, end)));
  const [cached, prompt] = [known === 0 ? 0 : tokensOf(messages.slice(0, known)), tokensOf(messages)];
  read += cached;
  all += prompt;
  const task = JSON.stringify(messages[1]);
  if ((seats.get(task) ?? key) !== key) moves += 1;
  seats.set(task, key);
  return cachedAnswer(prompt, cached);
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes) => (text += String(bytes)));
    request.on('end', () => {
      const key = request.headers.authorization ?? '';
      const { messages } = JSON.parse(text) as Fields & { messages: readonly unknown[] };
      const isDead = dead.has(key);
      response.writeHead(isDead ? 429 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDead ? { error: { message: 'slow down' } } : answer(key, messages)));
    });
  });
  baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ single: 1, several: 1 }));
  for (const [models, count] of [
    ['single', 1],
    ['several', 5],
  ] as const) {
    const key = Array.from({ length: count }, (_, at) => `sk-a-long-enough-key-${models}-${String(at)}`).join(
      '\n',
    );
    const make = count === 1 ? scene.stage.channel : scene.stage.pool;
    await make(scene.root, { baseUrl, models, key });
  }
  caller = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

interface Manner {
  /** The client names its sessions. */
  readonly isNamed: boolean;
  /** What happens before a turn. */
  readonly before?: (turn: number) => void;
}

let run = 0;

/** All sessions at once, a turn of each after the other. @returns the share of the prompts that came from a cache */
const shareOf = async (model: string, { isNamed, before }: Manner): Promise<number> => {
  run += 1;
  caches.clear();
  seats.clear();
  [read, all, moves] = [0, 0, 0];
  const sessions = Array.from({ length: SESSIONS }, (_, at) => [
    { role: 'user', content: `Task ${String(at)} of run ${String(run)}: ${'do this. '.repeat(50)}` },
  ]);
  for (let turn = 0; turn < TURNS; turn += 1) {
    before?.(turn);
    for (const [at, said] of sessions.entries()) {
      const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${caller}`,
          'content-type': 'application/json',
          ...(isNamed && { 'session-id': `run ${String(run)} session ${String(at)}` }),
        },
        body: JSON.stringify({ model, messages: [{ role: 'system', content: SYSTEM }, ...said] }),
      });
      expect(reply.status).toBe(200);
      await reply.text();
      said.push(
        { role: 'assistant', content: `Turn ${String(turn)}: ${'I read a file. '.repeat(40)}` },
        { role: 'user', content: `Result ${String(turn)}: ${'a line of it. '.repeat(60)}` },
      );
    }
  }
  return read / all;
};

it.each<readonly [string, Manner]>([
  ['whose clients name them', { isNamed: true }],
  ['that nobody names', { isNamed: false }],
])('of sessions %s a pool reads as much as one key, but for two points', async (_, manner) => {
  const [single, several] = [await shareOf('single', manner), await shareOf('several', manner)];
  expect(several).toBeGreaterThan(single - 0.02);
});

it('a rate-limited key costs each of its sessions one cold prompt, and none goes back to it', async () => {
  const key = 'Bearer sk-a-long-enough-key-several-1';
  let left = 0;
  const rests = (turn: number): void => {
    if (turn === 9) dead.clear();
    if (turn !== 5) return;
    dead.add(key);
    left = [...seats.values()].filter((seat) => seat === key).length;
  };
  const [single, several] = [
    await shareOf('single', { isNamed: true }),
    await shareOf('several', { isNamed: true, before: rests }),
  ];
  expect(left).toBeGreaterThan(0);
  expect(moves).toBe(left);
  expect(several).toBeGreaterThan(single - 0.05);
});

it('of keys that die one by one each session loses its cache as often as its own key does, and no more', async () => {
  let lost = 0;
  const dies = (turn: number): void => {
    const key = `Bearer sk-a-long-enough-key-several-${String(turn / 3 - 1)}`;
    if (turn === 0 || turn % 3 !== 0 || turn > 12) return;
    dead.add(key);
    lost += [...seats.values()].filter((seat) => seat === key).length;
  };
  await shareOf('several', { isNamed: true, before: dies });
  dead.clear();
  expect(lost).toBeGreaterThan(SESSIONS / 2);
  expect(moves).toBe(lost);
});
