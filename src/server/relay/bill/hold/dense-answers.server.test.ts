import { afterAll, beforeAll, expect, it } from 'vitest';
import { denseTexts, writtenTexts } from '../../../dialects/testing/token-texts.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { auditDatabase } from '../../../store/ledger/audit.ts';
import { type EndlessUpstream, startEndlessUpstream } from '../../testing/endless-upstream.ts';

/**
 * A stream whose upstream ignores every limit ends where the balance does, though digits may have four times the tokens
 * of prose. All tokens cost one unit.
 */

let scene: Scene;
let upstream: EndlessUpstream;
const MODELS = { 'at-openai': 1, 'at-claude': 14, 'at-gemini': 24 };
const TEXT_BYTES = 40;

beforeAll(async () => {
  upstream = await startEndlessUpstream();
  upstream.textBytes = TEXT_BYTES;
  scene = await openScene();
  const ones = JSON.stringify(Object.fromEntries(Object.keys(MODELS).map((model) => [model, 1])));
  await scene.set('ModelRatio', ones);
  await scene.set('CompletionRatio', ones);
  for (const [model, type] of Object.entries(MODELS))
    await scene.stage.channel(scene.root, { type, baseUrl: upstream.url, models: model, groups: 'default' });
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'count' }];
const callers: Readonly<Record<string, (model: string) => readonly [string, object]>> = {
  chat: (model) => ['/v1/chat/completions', { model, stream: true, messages }],
  messages: (model) => ['/v1/messages', { model, stream: true, max_tokens: 64_000, messages }],
  gemini: (model) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'count' }] }] },
  ],
  responses: (model) => ['/v1/responses', { model, stream: true, input: 'count' }],
};

/** The bytes of text that a payer with this much is shown, told by what each frame has. */
const shown = async (units: number, caller: string, model: string, letters: string): Promise<number> => {
  upstream.letters = letters;
  const { key } = await scene.spender(`u${(users += 1)}`, units);
  const [path, body] = callers[caller]?.(model) ?? ['', {}];
  const answer = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const texts = (await answer.text()).matchAll(/"(?:content|text|delta)": ?"([^"]+)"/g);
  const findings = await auditDatabase(scene.server.parts.stores.database, Date.now());
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
  // The last event of responses repeats all of it.
  return [...texts].reduce((sum, [, text = '']) => (text.length <= TEXT_BYTES ? sum + text.length : sum), 0);
};
let users = 0;

/** Each caller meets each model, and either of them both kinds of stream. */
const pairs = Object.keys(callers).flatMap((caller, first) =>
  Object.keys(MODELS).map((model, second) => [caller, model, (first + second) % 2 === 0 ? 1 : 700] as const),
);

it.each(pairs)(
  '%s, %s, %i frames at once: digits end before they cost more, and not long before',
  async (...of) => {
    const [caller, model, atOnce] = of;
    upstream.framesAtOnce = atOnce;
    for (const units of [3000, 60_000])
      expect(await shown(units, caller, model, denseTexts.digits)).toBeLessThan(units + TEXT_BYTES);
  },
);

it.each(pairs)('%s, %s, %i frames at once: prose is shown as far as the balance goes', async (...of) => {
  const [caller, model, atOnce] = of;
  upstream.framesAtOnce = atOnce;
  const bytes = await shown(3000, caller, model, writtenTexts.english);
  expect(bytes).toBeGreaterThan((3000 - 600) * 4);
  expect(bytes).toBeLessThan(3001 * 4 + TEXT_BYTES);
});
