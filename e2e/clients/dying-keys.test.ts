import { expect, test } from 'vitest';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { type AgentName, useAgentPool } from './agent-pool.ts';
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
const { upstream, scene, errand, poolFor } = useAgentPool(() => startDyingUpstream(DEATHS), {
  model: MODEL,
  keys: KEYS,
});

test.for(Object.entries(agents))('%s finishes', { timeout: 120_000 }, async ([name, run], { skip }) => {
  skip(isMissing(name), `${name} is not installed here`);
  const { id } = await poolFor(name as AgentName);
  const { code, output } = await run(errand());
  expect(output).toContain(LAST_WORDS);
  expect(code).toBe(0);
  expect(output).not.toMatch(
    /API Error|\b(401|402|429|503)\b|revoked|used up|over the quota|retrying|reconnecting/i,
  );
  const refused = upstream()
    .answered.filter(({ how }) => typeof how === 'number')
    .map(({ how }) => how);
  expect(new Set(refused)).toEqual(new Set([401, 402, 429]));
  expect(upstream().answered.filter(({ how }) => how === 'tool')).toHaveLength(DEATHS.length);
  const statuses = async () => (await scene().stage.keysOf(id)).map(({ status }) => status).toSorted();
  await expect.poll(statuses).toEqual(['cooling', 'enabled', 'revoked', 'revoked', 'spent']);
});
