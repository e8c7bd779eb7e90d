import { expect, test } from 'vitest';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { type AgentName, useAgentPool } from './agent-pool.ts';
import { agents, isMissing } from './agents.ts';
import { type Death, startDyingUpstream } from './dying-upstream.ts';

/**
 * On a fresh site, whose options retry nothing, coding agents carry on while all keys but one fail, each in another way, and
 * show no error.
 */

const LIMITS = { first_byte_timeout_ms: 1500, first_event_timeout_ms: 1500 };
const silent = { status: 0, type: '', message: '' };
const DEATHS: readonly Death[] = [
  { status: 401, type: 'authentication_error', message: 'this key was revoked' },
  { ...silent, how: 'hangs' },
  { status: 402, type: 'billing_error', message: 'the balance of this account is used up' },
  { ...silent, how: 'sends garbage' },
  { status: 403, type: 'permission_error', message: 'this key may not use the model' },
  { ...silent, how: 'hangs after its head' },
  { status: 429, type: 'rate_limit_error', message: 'too many calls with this key' },
  { ...silent, how: 'sends a page' },
  { status: 429, type: 'rate_limit_error', message: 'over the quota of this key', after: 3600 },
  { ...silent, how: 'sends nothing' },
  { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  { ...silent, how: 'closes the connection' },
];
const MODEL = 'hardy-model';
const { upstream, scene, errand, poolFor, channelsFor } = useAgentPool(() => startDyingUpstream(DEATHS), {
  model: MODEL,
  keys: DEATHS.length + 1,
});

const cases = (['one channel', 'a channel for each key'] as const).flatMap((where) =>
  Object.entries(agents).map(([name, run]) => ({ where, name, run })),
);

test.for(cases)('$name finishes: $where', { timeout: 180_000 }, async ({ where, name, run }, { skip }) => {
  skip(isMissing(name), `${name} is not installed here`);
  // Calls of one model share the budget of their retries, and each agent needs most of one.
  const model = `${MODEL}-${name.toLowerCase().replace(' ', '-')}-${String(where.length)}`;
  await scene().set('ModelRatio', JSON.stringify({ [model]: 1 }));
  await (where === 'one channel' ? poolFor : channelsFor)(name as AgentName, LIMITS, model);
  const { code, output } = await run({ ...errand(), model });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(LAST_WORDS) });
  expect(output).not.toMatch(
    /API Error|\b(401|402|403|429|502|503|504|529)\b|revoked|used up|may not|over the quota|overloaded|timed? ?out|retrying|reconnecting/i,
  );
  expect(upstream().answered.filter(({ how }) => how === 'tool')).toHaveLength(DEATHS.length);
  expect(await brokenRules(scene().server.parts.stores.database)).toEqual([]);
});
