import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditDatabase } from '../../src/server/store/ledger/audit.ts';
import { openScene, type Scene, type Spender } from '../../src/server/http/testing/scene.ts';
import { LAST_WORDS } from '../support/scripted-upstream.ts';
import { agents, isMissing } from './agents.ts';
import { type Step, startBreakingUpstream } from './breaking-upstream.ts';

/** Coding agents work on where an answer that has begun breaks off, whatever it was saying, and its key is dead afterwards. */

const REVOKED = { status: 401, type: 'authentication_error', message: 'this key was revoked' };
const SPENT = { status: 402, type: 'billing_error', message: 'the balance of this account is used up' };
const OVERLOADED = { status: 529, type: 'overloaded_error', message: 'Overloaded' };
const STEPS: readonly Step[] = [
  { turn: 'tool', breaks: 'cut', death: REVOKED },
  { turn: 'tool' },
  { turn: 'preface', breaks: 'ended', death: SPENT },
  { turn: 'tool' },
  { turn: 'tool', breaks: 'error', death: OVERLOADED },
  { turn: 'tool' },
  { turn: 'last words', breaks: 'cut', death: REVOKED },
  { turn: 'last words' },
];
const KEYS = 6;
const MODEL = 'breaking-model';
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';
/** The channel type of the maker that each agent speaks to. */
const TYPES: Readonly<Record<keyof typeof agents, number>> = {
  'Claude Code': 14,
  Codex: 1,
  'Gemini CLI': 24,
  opencode: 1,
};

let upstream: Awaited<ReturnType<typeof startBreakingUpstream>>;
let scene: Scene;
let spender: Spender;

beforeAll(async () => {
  upstream = await startBreakingUpstream(STEPS);
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

test.each(Object.entries(agents))('%s finishes', { timeout: 180_000 }, async (name, run) => {
  if (isMissing(name)) return console.warn(`${name} is not installed here: it is not tried`);
  await pool(TYPES[name as keyof typeof TYPES]);
  const errand = { url: scene.server.url, key: `sk-${spender.key}`, model: MODEL, prompt: PROMPT };
  const { code, output } = await run(errand);
  expect({ code, output, done: upstream.done() }).toEqual({
    code: 0,
    output: expect.stringContaining(LAST_WORDS),
    done: STEPS.length,
  });
  const audit = await auditDatabase(scene.server.parts.stores.database, Date.now());
  expect(audit.filter(({ violations }) => violations > 0)).toEqual([]);
});
