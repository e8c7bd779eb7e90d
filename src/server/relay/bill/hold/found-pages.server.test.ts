import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** What an upstream finds by itself becomes part of the prompt, and is held for as far as the payer has it (docs/billing.md). */

const FOUND = 8576;

let upstream: SlowUpstream;
let scene: Scene;

beforeAll(async () => {
  upstream = await startSlowUpstream(10, () =>
    JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
        },
      ],
      usage: { input_tokens: FOUND, output_tokens: 1, total_tokens: FOUND + 1 },
    }),
  );
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
  await scene.set('ModelRatio', '{"m":1}');
  await scene.set('tool_price_setting.prices', '{"web_search":0}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const ask = async (
  balance: number,
): Promise<{ readonly status: number; readonly held: number | undefined }> => {
  const spender = await scene.spender(`has-${String(balance)}`, balance);
  const answer = await fetch(`${scene.server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      max_output_tokens: 20,
      input: 'Find it',
      tools: [{ type: 'web_search' }],
    }),
  });
  await answer.text();
  return { status: answer.status, held: (await chargesOf(scene, spender))[0]?.hold_units };
};

it('pages that are found are held for, or with what there is', async () => {
  const rich = await ask(1_000_000);
  expect(rich.status).toBe(200);
  expect(rich.held).toBeGreaterThan(FOUND);
  expect(await ask(9000)).toEqual({ status: 200, held: 9000 });
});
