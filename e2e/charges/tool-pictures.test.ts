import { describe, expect, test } from 'vitest';
import type { Rig } from '../faults/rig.ts';
import { useGateway } from '../faults/use-gateway.ts';

/**
 * Pictures that OpenAI's hosted tool draws in the middle of a response: their usage is reported beside the model's own
 * usage (developers.openai.com, API reference of Responses: `tool_usage.image_gen`).
 */

const { start, good } = useGateway();

const MODELS = 'm,m-mute';
const OPTIONS = {
  ModelRatio: { m: 1, 'm-mute': 1, draws: 2 },
  CompletionRatio: { m: 1, 'm-mute': 1, draws: 8 },
  ModelPrice: { 'draws-each': 0.04 },
};
/** 50 tokens in and 1000 out at ratio 2; output costs eight times as much. */
const PICTURE_UNITS = (50 + 1000 * 8) * 2;

const ask = (rig: Rig, tool: object, beside: object = {}): Promise<Response> =>
  fetch(`${rig.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      input: 'draw a hat',
      tools: [{ type: 'image_generation', ...tool }],
      max_output_tokens: 100,
      ...beside,
    }),
  });

const rowsOf = async (rig: Rig) => {
  await expect.poll(() => rig.openHolds()).toBe(0);
  return rig.logs();
};
/** The charges at the prices of the models that draw. */
const drawn = async (rig: Rig): Promise<number[]> =>
  (await rowsOf(rig)).filter(({ content }) => !content.startsWith('model ratio 1')).map(({ quota }) => quota);

describe('pictures a tool draws in a response', () => {
  test.each([false, true])(
    'are a row of their own, at the price of the model that draws (stream: %s)',
    async (stream) => {
      const rig = await start([good({ models: MODELS })], OPTIONS);
      const response = await ask(rig, { model: 'draws' }, { stream });
      expect(await response.text()).toContain('image_generation_call');
      expect(await drawn(rig)).toEqual([PICTURE_UNITS]);
      expect(await rowsOf(rig)).toHaveLength(2);
    },
  );

  test('cost nothing where none was drawn, and leave no row', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    await (await ask(rig, { model: 'draws' }, { input: 'say hello' })).text();
    expect(await drawn(rig)).toEqual([]);
    expect(await rowsOf(rig)).toHaveLength(1);
  });

  test('are counted by their size where the upstream does not say what they used', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const tool = { model: 'draws', quality: 'low', size: '1024x1024' };
    await (await ask(rig, tool, { model: 'm-mute', input: 'draw, and draw again' })).text();
    expect(await drawn(rig)).toEqual([2 * 272 * 8 * 2]);
  });

  test('are paid one by one where the model that draws has a price per call', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    await (await ask(rig, { model: 'draws-each' }, { input: 'draw, and draw again', stream: true })).text();
    expect(await drawn(rig)).toEqual([2 * 20_000]);
  });

  test('are refused where the model that draws has no price, and the upstream hears nothing', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const response = await ask(rig, {});
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: 'tools', message: expect.stringContaining('gpt-image-2.6-sunburst') },
    });
    expect((await rig.balance()).used).toBe(0);
  });

  test('are refused to a token whose models do not name the one that draws', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const limits = { model_limits_enabled: 1, model_limits: JSON.stringify(['m', 'draws-each']) };
    await rig.database.writer.updateTable('tokens').set(limits).execute();
    const response = await ask(rig, { model: 'draws' });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('this token may not use model draws'),
    ]);
    expect((await ask(rig, { model: 'draws-each' })).status).toBe(200);
  });

  test('are refused in the background, where they could not be charged', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS);
    const response = await ask(rig, { model: 'draws' }, { background: true, store: true });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('background')]);
  });

  test('are held before they are drawn: what the balance cannot pay is not begun', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS, 2000);
    const response = await ask(rig, { model: 'draws' });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('insufficient_user_quota'),
    ]);
    expect(await rig.balance()).toMatchObject({ left: 2000, used: 0 });
  });
});
