import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import type { Random } from '#core/clock.ts';
import { systemRandom } from '../../../system.ts';
import { createSealedQuestions } from './sealed-questions.ts';

/** Questions whose answers are known, from the budget to the finding. */

const MODEL = 'gpt-4o';
const DAY_MS = 86_400_000;

interface Asked {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: { messages: { content: string }[]; max_tokens?: number; stream?: boolean; model: string };
}

let upstream: Server;
let scene: Scene;
let honest: number;
let lying: number;
let asked: Asked[] = [];
let nowMs = Date.now();
/** Each uses as much as it may. */
let isDear = false;
/** Answers wait for it. */
let gate = Promise.resolve();

const answerTo = (text: string): string => {
  const [, a, b] = /(\d+) (?:times|\*|×|boxes with) (\d+)/.exec(text) ?? [];
  if (a !== undefined) return String(Number(a) * Number(b));
  const [, at] = /(?:number|position) (\d+)\?/.exec(text) ?? [];
  return text.split('\n').find((line) => line.startsWith(`${String(at)}. `)) ?? '';
};

/** The lying one is a small model that guesses, and says that most of any prompt was cached. */
const replyOf = ({ path, body }: Asked) => {
  const text = body.messages.map(({ content }) => content).join('\n');
  const isLying = path.startsWith('/lying/');
  const prompt = isDear ? 3000 : Math.round(text.length / 4);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [
      {
        index: 0,
        [body.stream === true ? 'delta' : 'message']: {
          role: 'assistant',
          content: isLying ? 'I think it is 12.' : answerTo(text),
        },
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: isDear ? 400 : 9,
      total_tokens: prompt + (isDear ? 400 : 9),
      prompt_tokens_details: { cached_tokens: isLying ? Math.round(prompt * 0.9) : 0 },
    },
  };
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request
      .on('data', (piece: Buffer) => (body += piece.toString()))
      .on('end', () => {
        const one: Asked = {
          path: request.url ?? '',
          headers: Object.keys(request.headers).toSorted(),
          body: JSON.parse(body) as Asked['body'],
        };
        asked.push(one);
        const text = JSON.stringify(replyOf(one));
        const isStream = one.body.stream === true;
        response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
        void gate.then(() => response.end(isStream ? `data: ${text}\n\ndata: [DONE]\n\n` : text));
      });
  });
  await listening(upstream);
  scene = await openScene();
  const { port } = upstream.address() as AddressInfo;
  const channelAt = (name: string) =>
    scene.stage.channel(scene.root, {
      name,
      baseUrl: `http://127.0.0.1:${String(port)}/${name}`,
      models: `${MODEL},gpt-4o-mini`,
      setting: JSON.stringify({ cost: { models: { [MODEL]: { input: 1, output: 4 } } } }),
    });
  honest = (await channelAt('honest')).id;
  lying = (await channelAt('lying')).id;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});
beforeEach(() => {
  asked = [];
});

/** Ordinary calls: only what is used is asked about. */
const used = (channelId: number) => ({
  channelId,
  model: MODEL,
  day: Math.floor(nowMs / DAY_MS),
  measure: 'named' as const,
  detail: '',
  calls: 5,
  amount: 0,
});

const nodeWith = (random: Random) => {
  const { stores, relay, routing } = scene.server.parts;
  return createSealedQuestions({
    ...stores,
    routing,
    testChannel: relay.testChannel,
    clock: { now: () => nowMs },
    random,
  });
};

/** A node; `minutes` of its life. */
const live = async (minutes: number): Promise<void> => {
  const sealed = nodeWith(systemRandom);
  for (let minute = 0; minute < minutes; minute += 1) {
    await sealed.run();
    nowMs += 60_000;
  }
};

const spentToday = async (): Promise<number> =>
  (await scene.server.parts.stores.evidence.ofAll(Math.floor(nowMs / DAY_MS)))
    .filter(({ measure }) => measure === 'sealed')
    .reduce((sum, { amount }) => sum + amount, 0);

const evidenceOf = async (channel: number) => {
  const { data } = await scene.asRoot(`/api/channel/${String(channel)}/evidence`);
  return (data as { models: Record<string, unknown>[] }).models[0];
};

describe('sealed questions', () => {
  it('are not asked without a budget, nor for models without calls', async () => {
    await live(20);
    await scene.set('evidence_setting.sealed_usd_a_day', 100);
    await live(20);
    expect(asked).toEqual([]);
  });

  it('find wrong answers and invented cache reads, and nothing at an honest upstream', async () => {
    nowMs = Date.now();
    await scene.server.parts.stores.evidence.add([used(honest), used(lying)]);
    await live(60);
    expect(asked.length).toBeGreaterThan(40);
    expect(await evidenceOf(honest)).toMatchObject({ sealed: { wrong: 0 }, findings: [] });
    const found = await evidenceOf(lying);
    expect(found?.['findings']).toEqual(['wrong_answers', 'never_sent_cache']);
    const sealed = found?.['sealed'] as { asked: number; wrong: number } | undefined;
    expect(sealed?.wrong).toBe(sealed?.asked);
  });

  it('look like calls, and no two alike', async () => {
    const spender = await scene.spender('alice', 100_000_000);
    await live(30);
    const questions = asked;
    asked = [];
    await scene.asRoot('/api/channel', { method: 'PUT', body: { id: lying, status: 2 } });
    const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(reply.status).toBe(200);
    await scene.asRoot('/api/channel', { method: 'PUT', body: { id: lying, status: 1 } });
    expect(new Set(questions.map(({ body }) => body.messages[0]?.content)).size).toBe(questions.length);
    const whole = questions.find(({ body }) => body.stream !== true);
    expect(whole?.headers.filter((name) => name !== 'user-agent')).toEqual(
      asked[0]?.headers.filter((name) => name !== 'user-agent'),
    );
    expect(JSON.stringify(questions)).not.toMatch(/tollgate|sealed|test/i);
  });

  it('cost only the operator', async () => {
    const at = Math.floor(Date.now() / 1000);
    const { data } = await scene.asRoot(
      `/api/data/house_costs?start_timestamp=${String(at - 86_400)}&end_timestamp=${String(at)}`,
    );
    expect(data).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'sealed' })]));
    const rows = await scene.asRoot('/api/log?page_size=100&type=2');
    const { items } = rows.data as { items: { username: string }[] };
    // Alice's own call.
    expect(items.map(({ username }) => username)).toEqual(['alice']);
  });

  it('stop when one more might exceed the budget of the day, over all nodes, and go on the next day', async () => {
    nowMs += 2 * DAY_MS;
    isDear = true;
    // One costs 0.0046 dollars, so that ten fit; the dice want twice as many.
    const budgetUsd = 0.05;
    await scene.set('evidence_setting.sealed_usd_a_day', budgetUsd);
    await scene.server.parts.stores.evidence.add([used(honest)]);
    nowMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    // Two nodes, each sees every second minute first.
    await Promise.all([live(600), live(600)]);
    expect(await spentToday()).toBeLessThanOrEqual(budgetUsd * 1e9);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(10);
  });

  it('count as the most they can cost until they are answered', async () => {
    nowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    isDear = true;
    await scene.server.parts.stores.evidence.add([used(honest)]);
    // One costs 0.0046 dollars: a second does not fit.
    await scene.set('evidence_setting.sealed_usd_a_day', 0.006);
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const node = nodeWith({ ...systemRandom, unit: () => 0 });
    const first = node.run();
    await expect.poll(() => asked.length).toBe(1);
    nowMs += 60_000;
    await node.run();
    open();
    await first;
    expect(asked.length).toBe(1);
    expect(await spentToday()).toBe(4_600_000);
  });

  it('are not asked any more a week after the last call, however many of them there were', async () => {
    nowMs += 7 * DAY_MS;
    await scene.server.parts.stores.evidence.add([
      { ...used(honest), measure: 'sealed', detail: 'right' },
      { ...used(honest), measure: 'cache', detail: 'never_sent' },
    ]);
    await nodeWith({ ...systemRandom, unit: () => 0 }).run();
    expect(asked).toEqual([]);
  });
});
