import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** What an administrator is told of a call before it is made is what becomes of it, with whatever its channels cost. */

interface Odd {
  /** US dollars for a million tokens or for a call; undefined: not known. */
  readonly costs: readonly (object | undefined)[];
  readonly weights?: readonly number[];
  readonly maxTokens?: number;
  /** The places of those that get the calls, or their share beside others; nothing is known of the others' order. */
  readonly best: readonly number[];
}

const tokens = (input: number, output: number): object => ({ input, output });
const perCall = (call: number): object => ({ call });

const POOLS: Readonly<Record<string, Odd>> = {
  'nothing and something': { costs: [tokens(1, 1), tokens(0, 0)], best: [1] },
  'two of nothing': { costs: [tokens(0, 0), perCall(0), tokens(1, 1)], best: [0, 1] },
  'unknown beside the dearest': { costs: [undefined, tokens(1_000_000, 1_000_000)], best: [1] },
  'unknown beside nothing': { costs: [undefined, perCall(0)], best: [1] },
  'none known': { costs: [undefined, undefined], best: [0, 1] },
  'a cheap call beside dear tokens': { costs: [perCall(0.0001), tokens(10, 10)], best: [0] },
  'a dear call beside cheap tokens': { costs: [perCall(1), tokens(1, 1)], best: [1] },
  'dear words, few of them': { costs: [tokens(1, 1000), tokens(900, 1)], maxTokens: 1, best: [0] },
  'dear words, many of them': { costs: [tokens(1, 1000), tokens(900, 1)], best: [1] },
  'the cheapest has no weight': { costs: [tokens(0, 0), tokens(5, 5)], weights: [0, 1], best: [1] },
  'none has weight': { costs: [tokens(2, 2), tokens(1, 1)], weights: [0, 0], best: [1] },
  'half a billionth': { costs: [tokens(0.000001, 0), tokens(0.000002, 0)], best: [0] },
};
/** The prompt of the calls below, about. */
const PROMPT_TOKENS = 10;
const CALLS = 30;

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
const channels: Record<string, number[]> = {};

const modelOf = (policy: string, pool: string): string => `${policy}-${pool.replaceAll(/[^a-z]/g, '-')}`;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  const models: string[] = [];
  for (const policy of ['cheapest', 'session'])
    for (const [pool, { costs, weights }] of Object.entries(POOLS)) {
      const model = modelOf(policy, pool);
      models.push(model);
      channels[model] = [];
      for (const [place, cost] of costs.entries()) {
        const setting = cost === undefined ? '' : JSON.stringify({ cost: { models: { [model]: cost } } });
        const weight = weights?.[place] ?? 1;
        const wish = { baseUrl: upstream.url, models: model, setting, weight };
        channels[model].push((await scene.stage.channel(scene.root, wish)).id);
      }
    }
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 0.001]))));
  const choice = { models: { 'cheapest-*': 'cheapest', 'session-*': 'session' } };
  await scene.set('routing_setting.choice', JSON.stringify(choice));
  alice = await scene.spender('alice', 1_000_000_000);
  await scene.server.parts.refreshRouting();
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const call = async (model: string, maxTokens: number | undefined, at: number): Promise<number> => {
  const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${alice.key}`,
      'content-type': 'application/json',
      // A session of its own.
      'session-id': `${model} ${String(at)}`,
    },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'Hi' }],
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    }),
  });
  await response.text();
  return response.status;
};

describe.each(['cheapest', 'session'])('by the policy %s', (policy) => {
  it.each(Object.entries(POOLS))('calls go where it was said: %s', async (pool, { best, maxTokens }) => {
    const model = modelOf(policy, pool);
    const ids = channels[model] ?? [];
    const { data, message } = await scene.asRoot('/api/channel/explain', {
      method: 'POST',
      body: {
        model,
        group: 'default',
        prompt_tokens: PROMPT_TOKENS,
        ...(maxTokens !== undefined && { output_tokens: maxTokens }),
      },
    });
    expect(message).toBe('');
    const told = data as { policy: string; channels: readonly { id: number; chance: number }[] };
    expect(told.policy).toBe(policy);
    const chanceOf = new Map(told.channels.map(({ id, chance }) => [id, chance]));
    const ofBest = best.reduce((sum, place) => sum + (chanceOf.get(ids[place] ?? 0) ?? 0), 0);
    expect(ofBest).toBeGreaterThanOrEqual(0.95 - 1e-9);
    for (let at = 0; at < CALLS; at += 1) expect(await call(model, maxTokens, at)).toBe(200);
    const page = await scene.asRoot(`/api/log/?p=1&page_size=100&type=2&model_name=${model}`);
    const rows = (page.data as { items: readonly { channel: number }[] }).items;
    expect(rows).toHaveLength(CALLS);
    const taken = (id: number): number => rows.filter(({ channel }) => channel === id).length;
    const never = [...chanceOf].filter(([, chance]) => chance === 0);
    expect(never.filter(([id]) => taken(id) > 0)).toEqual([]);
    // Of thirty calls more than ten go elsewhere with a chance below one in a million where one in twenty does.
    expect(best.reduce((sum, place) => sum + taken(ids[place] ?? 0), 0)).toBeGreaterThanOrEqual(20);
  });
});
