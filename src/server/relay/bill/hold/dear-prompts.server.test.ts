import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** What a prompt has beside words is held for as what it may cost, however few bytes it has (docs/billing.md). */

let upstream: SlowUpstream;
let scene: Scene;

/** Ten minutes of speech at 8 kbit/s: frames of MPEG-2 layer III at 16 kHz, 36 ms in 36 bytes each. */
const SECONDS = 600;
const frame = Buffer.alloc(36);
frame.set([0xff, 0xf3, 0x18, 0xc4]);
const data = Buffer.concat(Array.from({ length: Math.ceil(SECONDS / 0.036) }, () => frame)).toString(
  'base64',
);

/** As its maker counts it; a token of sound costs sixteen units. */
const HEARD = SECONDS * 10;
const COST = HEARD * 16 + 10 + 4;
const usage = {
  prompt_tokens: HEARD + 10,
  prompt_tokens_details: { audio_tokens: HEARD },
  completion_tokens: 1,
  total_tokens: HEARD + 11,
};
/** What OpenAI counts of three large pictures: 2,833 and five tiles of 5,667 and a sixth each. */
const SEEN = 3 * 36_835;
const SEEN_COST = Math.round((SEEN + 10 + 4) * 0.075);
const seen = { prompt_tokens: SEEN + 10, completion_tokens: 1, total_tokens: SEEN + 11 };
const usageOf = ({ model }: Readonly<Record<string, unknown>>): object =>
  model === 'gpt-4o-mini' ? seen : usage;
const event = (part: object): string => `data: ${JSON.stringify(part)}\n\n`;
/** A query of five hundred words, read with each of a thousand documents. */
const RANKED = 500 * 1000;
const answered = (body: Readonly<Record<string, unknown>>): string =>
  body['query'] !== undefined
    ? JSON.stringify({ results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: RANKED } })
    : body['stream'] === true
      ? event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes' } }] }) +
        event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
        (body['model'] === 'silent' ? '' : event({ choices: [], usage: usageOf(body) })) +
        'data: [DONE]\n\n'
      : JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
          usage: usageOf(body),
        });

beforeAll(async () => {
  upstream = await startSlowUpstream(100, answered);
  scene = await openScene();
  await scene.stage.channel(scene.root, {
    baseUrl: upstream.url,
    models: 'hearing,untold,silent,gpt-4o-mini,ranking',
  });
  await scene.set('ModelRatio', '{"hearing":1,"untold":1,"silent":1,"ranking":1}');
  await scene.set('CompletionRatio', '{"hearing":4,"untold":4,"silent":4}');
  await scene.set(
    'PriceDimensions',
    '{"hearing":{"ratios":{"audioInput":16}},"silent":{"ratios":{"audioInput":16}}}',
  );
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const PICTURE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const SOUND = { type: 'input_audio', input_audio: { data, format: 'mp3' } };

const ask = async ({ key }: Spender, model: string, stream: boolean): Promise<number> => {
  const content = [
    { type: 'text', text: 'What?' },
    ...(model === 'gpt-4o-mini' ? [PICTURE, PICTURE, PICTURE] : [SOUND]),
  ];
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, max_tokens: 10, messages: [{ role: 'user', content }] }),
  });
  await answer.text();
  return answer.status;
};

it.each([false, true])(
  'a prompt with sound is held for before it is sent, and not sent if it cannot be paid (stream: %s)',
  async (stream) => {
    const rich = await scene.spender(`rich-${String(stream)}`, 1_000_000);
    expect(await ask(rich, 'hearing', stream)).toBe(200);
    const [charge] = await chargesOf(scene, rich);
    expect(charge?.units).toBe(COST);
    expect(charge?.hold_units).toBeGreaterThanOrEqual(COST);
    const poor = await scene.spender(`poor-${String(stream)}`, COST / 2);
    expect(await ask(poor, 'hearing', stream)).toBe(403);
  },
);

it.each([false, true])(
  'of many prompts with sound, no more are sent than the balance pays for (stream: %s)',
  async (stream) => {
    const spender = await scene.spender(`crowd-${String(stream)}`, COST * 8);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(spender, 'hearing', stream)));
    const charges = await chargesOf(scene, spender);
    expect(statuses.filter((status) => status === 200)).toHaveLength(charges.length);
    expect(charges.length).toBeGreaterThan(0);
    for (const { units, not_charged_units: lost } of charges) expect([units, lost ?? 0]).toEqual([COST, 0]);
    expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  },
);

it.each([false, true])('pictures are held for as the model counts them (stream: %s)', async (stream) => {
  const rich = await scene.spender(`sees-${String(stream)}`, 1_000_000);
  expect(await ask(rich, 'gpt-4o-mini', stream)).toBe(200);
  const [charge] = await chargesOf(scene, rich);
  expect(charge?.units).toBe(SEEN_COST);
  expect(charge?.hold_units).toBeGreaterThanOrEqual(SEEN_COST);
  const poor = await scene.spender(`blind-${String(stream)}`, Math.floor(SEEN_COST / 2));
  expect(await ask(poor, 'gpt-4o-mini', stream)).toBe(403);
});

it('a query is held for with each document that it ranks', async () => {
  const body = {
    model: 'ranking',
    query: 'word '.repeat(500),
    documents: Array.from({ length: 1000 }, () => 'a'),
  };
  const rank = ({ key }: Spender) =>
    fetch(`${scene.server.url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const rich = await scene.spender('ranks', 2_000_000);
  expect((await rank(rich)).status).toBe(200);
  const [charge] = await chargesOf(scene, rich);
  expect([charge?.units, (charge?.hold_units ?? 0) >= RANKED]).toEqual([RANKED, true]);
  expect((await rank(await scene.spender('ranks little', RANKED / 2))).status).toBe(403);
});

it('sound is charged as sound even without a usage report, as when its caller hangs up', async () => {
  const spender = await scene.spender('silent', 1_000_000);
  expect(await ask(spender, 'silent', true)).toBe(200);
  const [charge] = await chargesOf(scene, spender);
  expect(charge?.units).toBeGreaterThan(COST * 0.95);
  expect(charge?.units).toBeLessThan(COST * 1.1);
});

it('admins, and the line of the receipt, tell of sound that is charged as text because it has no price', async () => {
  const spender = await scene.spender('untold', 1_000_000);
  expect(await ask(spender, 'untold', false)).toBe(200);
  expect(await chargesOf(scene, spender)).toMatchObject([
    {
      admin_info: { sold_as_text: ['audioInputTokens'] },
      price_steps: expect.arrayContaining([
        expect.objectContaining({
          bucket: 'audioInputTokens',
          factors: expect.objectContaining({ asText: '1' }) as unknown,
        }),
      ]) as unknown,
    },
  ]);
});
