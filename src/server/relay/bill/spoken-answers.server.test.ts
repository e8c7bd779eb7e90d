import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { chargesOf } from '../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../testing/slow-upstream.ts';

/** A spoken answer is held at the price of sound (docs/billing.md). */

let upstream: SlowUpstream;
let scene: Scene;

/** A token of sound costs sixteen units, one of text four. */
const SPOKEN = 1000;
const COST = 10 + SPOKEN * 16;
const usage = {
  prompt_tokens: 10,
  completion_tokens: SPOKEN,
  completion_tokens_details: { audio_tokens: SPOKEN },
  total_tokens: 10 + SPOKEN,
};
const audio = { id: 'a', data: 'AAAA', transcript: 'Hello', expires_at: 1 };
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const answered = (body: Readonly<Record<string, unknown>>): string => {
  if (body['stream'] !== true) {
    const message = { role: 'assistant', content: null, audio };
    return JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  }
  if (body['model'] === 'endless')
    return event({ choices: [{ index: 0, delta: { audio } }] }).repeat(5000) + 'data: [DONE]\n\n';
  return (
    event({ choices: [{ index: 0, delta: { role: 'assistant', audio } }] }) +
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    (body['model'] === 'untold' ? '' : event({ choices: [], usage })) +
    'data: [DONE]\n\n'
  );
};

beforeAll(async () => {
  upstream = await startSlowUpstream(100, answered);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'speaking,untold,endless' });
  await scene.set('ModelRatio', '{"speaking":1,"untold":1,"endless":1}');
  await scene.set('CompletionRatio', '{"speaking":4,"untold":4,"endless":4}');
  const spoken = { ratios: { audioInput: 8, audioOutput: 2 } };
  await scene.set('PriceDimensions', JSON.stringify({ speaking: spoken, untold: spoken, endless: spoken }));
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

let said = '';
const ask = async ({ key }: Spender, more: object): Promise<number> => {
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'speaking',
      max_tokens: SPOKEN,
      messages: [{ role: 'user', content: 'Hi' }],
      ...more,
    }),
  });
  said = await answer.text();
  return answer.status;
};
const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } };

it.each([false, true])(
  'is held for and charged as sound (stream: %s), and as text where none is asked for',
  async (stream) => {
    const spender = await scene.spender(`one-${String(stream)}`, 10_000_000);
    expect(await ask(spender, { stream, ...spoken })).toBe(200);
    expect(await ask(spender, { stream })).toBe(200);
    const [written, said] = await chargesOf(scene, spender);
    expect(said).toMatchObject({ units: COST });
    expect(said?.hold_units).toBeGreaterThanOrEqual(SPOKEN * 16);
    expect(written?.hold_units).toBeLessThan(SPOKEN * 5);
  },
);

it('without a usage report, as when its caller hangs up, costs the sound that was sent and not only its text', async () => {
  const spender = await scene.spender('untold', 10_000_000);
  expect(await ask(spender, { model: 'untold', stream: true, ...spoken })).toBe(200);
  const [charge] = await chargesOf(scene, spender);
  // Five letters that are said, of 16 units each and a quarter more, beside two tokens of text.
  const sound = Math.ceil(5 * 1.25) * 16;
  expect(charge?.units).toBeGreaterThanOrEqual(sound + 8);
  expect(charge?.units).toBeLessThan(sound + 100);
});

it.each([false, true])(
  'of many at once, no more are served than the balance pays for (stream: %s)',
  async (stream) => {
    const crowd = await scene.spender(`crowd-${String(stream)}`, 3 * (COST + 500));
    const before = upstream.served;
    await Promise.all(Array.from({ length: 12 }, () => ask(crowd, { stream, ...spoken })));
    expect(upstream.served - before).toBe(3);
    const rows = await chargesOf(scene, crowd);
    expect(rows.map(({ units, not_charged_units: lost = 0 }) => [units, lost])).toEqual(
      Array.from({ length: 3 }, () => [COST, 0]),
    );
    expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  },
);

it('ends where the money does, though its upstream says more than it was allowed to', async () => {
  const spender = await scene.spender('endless', 20_000);
  expect(await ask(spender, { model: 'endless', stream: true, ...spoken })).toBe(200);
  // Five letters that are said: 6.25 tokens of sound, of 16 units, and 1.25 of text.
  const paid = 20_000 / (6.25 * 16 + 1.25 * 4);
  const pieces = said.match(/AAAA/g)?.length ?? 0;
  expect(pieces).toBeLessThanOrEqual(paid);
  expect(pieces).toBeGreaterThan(paid - 10);
  expect(said).toContain('"finish_reason":"length"');
  const [charge] = await chargesOf(scene, spender);
  expect(charge).toMatchObject({ limited_by: 'quota' });
  expect(charge?.units).toBeGreaterThan(20_000 - 110);
  expect(charge).not.toHaveProperty('not_charged_units');
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
});
