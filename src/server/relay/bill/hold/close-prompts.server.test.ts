import { afterAll, beforeAll, expect, it } from 'vitest';
import { denseTexts, writtenTexts } from '../../../dialects/testing/token-texts.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/**
 * Who has what a prompt costs, and half of it more, is served; who has less than it costs is refused. A token of the
 * prompt costs one unit, one of the answer four.
 */

const ANSWER = 4 * 256;
/** The first is read by this thread, the other, which is larger, by another. */
const sizes = [50, 1000] as const;
/** The counts are those of the dearest of five tokenizers (close-tokens.test.ts). */
const written = { text: writtenTexts.english, tokens: 43 };
const dense = { text: denseTexts.digits, tokens: 1001 };

let upstream: SlowUpstream;
let scene: Scene;
let promptTokens = 0;

beforeAll(async () => {
  upstream = await startSlowUpstream(1, (body) => {
    const total_tokens = promptTokens + 1;
    const message = { role: 'assistant', content: 'Yes' };
    if (body['input'] === undefined)
      return JSON.stringify({
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens },
      });
    const content = [{ type: 'output_text', text: 'Yes', annotations: [] }];
    return JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content }],
      usage: { input_tokens: promptTokens, output_tokens: 1, total_tokens },
    });
  });
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
  await scene.set('ModelRatio', '{"m":1}');
  await scene.set('CompletionRatio', '{"m":4}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

type Ask = (text: string) => readonly [path: string, body: object];
const formats: Readonly<Record<string, Ask>> = {
  chat: (content) => ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content }] }],
  messages: (content) => [
    '/v1/messages',
    { model: 'm', max_tokens: 256, messages: [{ role: 'user', content }] },
  ],
  responses: (input) => ['/v1/responses', { model: 'm', input }],
  gemini: (text) => ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text }] }] }],
};
const names = Object.keys(formats);

const ask = async ({ key }: Spender, format: string, text: string) => {
  const [path, body] = formats[format]?.(text) ?? ['', {}];
  const answer = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [answer.status, await answer.text()] as const;
};

let users = 0;
const spender = (units: number): Promise<Spender> => scene.spender(`u${(users += 1)}`, Math.ceil(units));

it.each(names.flatMap((format) => sizes.map((times) => [format, times] as const)))(
  '%s: English is served to who has half more than it costs (%i times)',
  async (format, times) => {
    promptTokens = written.tokens * times;
    const payer = await spender(promptTokens * 1.5 + ANSWER + 64);
    expect((await ask(payer, format, written.text.repeat(times)))[0]).toBe(200);
    const [charge] = await chargesOf(scene, payer);
    expect(charge).toMatchObject({ units: promptTokens + 4 });
    expect(charge?.hold_units).toBeGreaterThanOrEqual(promptTokens + 4);
    expect(charge).not.toHaveProperty('not_charged_units');
  },
);

it.each(names.flatMap((format) => sizes.map((times) => [format, times / 10] as const)))(
  '%s: digits are not sent for who cannot pay them (%i thousand)',
  async (format, times) => {
    promptTokens = dense.tokens * times;
    const { served } = upstream;
    const [status, text] = await ask(await spender(promptTokens - 1), format, dense.text.repeat(times));
    expect([status, upstream.served - served]).toEqual([format === 'messages' ? 402 : 403, 0]);
    expect(text).toMatch(/at least \D?[\d.,]+/);
    const payer = await spender(promptTokens * 1.1 + ANSWER + 64);
    expect((await ask(payer, format, dense.text.repeat(times)))[0]).toBe(200);
  },
);

it('of many dense prompts at once no more are sent than are paid', async () => {
  promptTokens = dense.tokens * 20;
  const payer = await spender((promptTokens * 1.1 + ANSWER) * 5);
  const all = await Promise.all(Array.from({ length: 20 }, () => ask(payer, 'chat', dense.text.repeat(20))));
  const charges = await chargesOf(scene, payer);
  expect(all.filter(([status]) => status === 200)).toHaveLength(charges.length);
  expect(charges.length).toBeGreaterThanOrEqual(5);
  for (const charge of charges) expect(charge).not.toHaveProperty('not_charged_units');
});
