import { expect, test } from 'vitest';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { type AgentName, useAgentPool } from './agent-pool.ts';
import { agents, isMissing } from './agents.ts';
import { type Step, startBreakingUpstream } from './breaking-upstream.ts';

/** Coding agents carry on after an answer breaks off in the middle, whatever it contained, and its key is dead afterwards. */

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
const { upstream, scene, errand, poolFor } = useAgentPool(() => startBreakingUpstream(STEPS), {
  model: MODEL,
  keys: KEYS,
});

test.for(Object.entries(agents))('%s finishes', { timeout: 180_000 }, async ([name, run], { skip }) => {
  skip(isMissing(name), `${name} is not installed here`);
  await poolFor(name as AgentName);
  const { code, output } = await run(errand());
  expect({ code, output, done: upstream().done() }).toEqual({
    code: 0,
    output: expect.stringContaining(LAST_WORDS),
    done: STEPS.length,
  });
  expect(await brokenRules(scene().server.parts.stores.database)).toEqual([]);
});
