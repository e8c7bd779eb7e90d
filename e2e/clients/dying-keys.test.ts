import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, type Scene, type Spender } from '../../src/server/http/testing/scene.ts';
import { LAST_WORDS } from '../support/scripted-upstream.ts';
import { agents, isMissing } from './agents.ts';
import { type Death, startDyingUpstream } from './dying-upstream.ts';

/** Coding agents work on through a channel whose keys die one by one, and show no error. */

const DEATHS: readonly Death[] = [
  { status: 401, type: 'authentication_error', message: 'this key was revoked' },
  { status: 402, type: 'billing_error', message: 'the balance of this account is used up' },
  { status: 429, type: 'rate_limit_error', message: 'over the quota of this key', after: 3600 },
  { status: 401, type: 'authentication_error', message: 'this key was revoked' },
];
const KEYS = DEATHS.length + 1;
const MODEL = 'enduring-model';
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';
/** The channel type of the maker that each agent speaks to. */
const TYPES: Readonly<Record<keyof typeof agents, number>> = {
  'Claude Code': 14,
  Codex: 1,
  'Gemini CLI': 24,
  opencode: 1,
};

let upstream: Awaited<ReturnType<typeof startDyingUpstream>>;
let scene: Scene;
let spender: Spender;

beforeAll(async () => {
  upstream = await startDyingUpstream(DEATHS);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.set('AutomaticDisableChannelEnabled', true);
  spender = await scene.spender('coder', 1_000_000_000);
});
afterAll(async () => {
  await scene.close();
  await upstream.stop();
});

const pool = async (type: number) => {
  upstream.revive();
  const ids = (await scene.server.parts.stores.channels.all()).map(({ id }) => id);
  if (ids.length > 0) await scene.asRoot('/api/channel/batch', { method: 'POST', body: { ids } });
  const keys = Array.from({ length: KEYS }, (_, n) => `sk-a-long-enough-key-${String(n)}`);
  return scene.stage.pool(scene.root, { type, baseUrl: upstream.url, models: MODEL, key: keys.join('\n') });
};

test.each(Object.entries(agents))('%s finishes', { timeout: 120_000 }, async (name, run) => {
  if (isMissing(name)) return console.warn(`${name} is not installed here: it is not tried`);
  const { id } = await pool(TYPES[name as keyof typeof TYPES]);
  const errand = { url: scene.server.url, key: `sk-${spender.key}`, model: MODEL, prompt: PROMPT };
  const { code, output } = await run(errand);
  expect(output).toContain(LAST_WORDS);
  expect(code).toBe(0);
  expect(output).not.toMatch(
    /API Error|\b(401|402|429|503)\b|revoked|used up|over the quota|retrying|reconnecting/i,
  );
  const refused = upstream.answered.filter(({ how }) => typeof how === 'number').map(({ how }) => how);
  expect(new Set(refused)).toEqual(new Set([401, 402, 429]));
  expect(upstream.answered.filter(({ how }) => how === 'tool')).toHaveLength(DEATHS.length);
  const statuses = async () => (await scene.stage.keysOf(id)).map(({ status }) => status).toSorted();
  await expect.poll(statuses).toEqual(['cooling', 'enabled', 'revoked', 'revoked', 'spent']);
});
