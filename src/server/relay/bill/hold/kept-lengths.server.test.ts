import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/**
 * What a call continues from is read again and paid again: as many tokens are held as its upstream has told. Where that
 * is not known, or a server of tools or a page may answer at any length, as many as the model reads.
 */

const CONTEXT = 200_000;
const ANSWER = 10;
/** So many tokens at most. */
const LONG = 'and '.repeat(CONTEXT / 2);
const LONGEST_PROMPT = 1_048_576;

let upstream: SlowUpstream;
let scene: Scene;
let made = 0;

const reply = ({ stream, model, items, instructions }: Readonly<Record<string, unknown>>): string => {
  if (items !== undefined)
    return JSON.stringify({
      object: 'list',
      data: (items as object[]).map((item) => ({ id: 'i', ...item })),
    });
  if (model === undefined) return JSON.stringify({ id: 'conv_1', object: 'conversation' });
  if (model === 'claude')
    return JSON.stringify({
      content: [{ type: 'text', text: 'Yes' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: CONTEXT, output_tokens: ANSWER },
    });
  const id = `resp_${String((made += 1))}`;
  const content = [{ type: 'output_text', text: 'Yes', annotations: [] }];
  // Asked to be long, it thinks and says as much as it reads otherwise.
  const isLong = instructions === 'at length';
  const thought = { type: 'reasoning', id: `rs_${id}`, summary: [] };
  const output = [
    thought,
    { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content },
  ];
  const response = { id, object: 'response', model, output, status: 'completed' };
  const [read, said] = isLong ? [ANSWER, CONTEXT] : [CONTEXT, ANSWER];
  const usage = { input_tokens: read, output_tokens: said, total_tokens: CONTEXT + ANSWER };
  if (stream !== true) return JSON.stringify({ ...response, usage });
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_text.delta',
      item_id: `msg_${id}`,
      output_index: 0,
      content_index: 0,
      delta: 'Yes',
    },
    { type: 'response.completed', response: { ...response, usage } },
  ];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
};

beforeAll(async () => {
  upstream = await startSlowUpstream(100, reply);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'reading' });
  await scene.stage.channel(scene.root, { type: 14, baseUrl: upstream.url, models: 'claude' });
  await scene.set('ModelRatio', '{"reading":1,"claude":1}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const post = async (
  { key }: Spender,
  path: string,
  body: object,
): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};
const respond = (spender: Spender, more: object) =>
  post(spender, '/v1/responses', { model: 'reading', max_output_tokens: 300, input: 'And?', ...more });
const message = (spender: Spender, more: object) =>
  post(spender, '/v1/messages', {
    model: 'claude',
    max_tokens: 300,
    messages: [{ role: 'user', content: 'hi' }],
    ...more,
  });
const lastHold = async (spender: Spender): Promise<number> =>
  (await chargesOf(scene, spender))[0]?.hold_units ?? 0;

describe('a conversation that the upstream keeps', () => {
  it.each([
    ['a whole reply', {}],
    ['a stream', { stream: true }],
  ])('after %s is held as it is long, so that nobody gets what they cannot pay', async (name, more) => {
    const spender = await scene.spender(`crowd of ${name}`, 2 * CONTEXT + 60_000);
    const first = await respond(spender, { input: LONG, ...more });
    const id = /resp_\d+/.exec(first.text)?.[0];
    const next = { previous_response_id: id };
    const answers = await Promise.all(Array.from({ length: 10 }, () => respond(spender, next)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const charges = await chargesOf(scene, spender);
    expect(charges.map(({ units }) => units)).toEqual([CONTEXT + ANSWER, CONTEXT + ANSWER]);
    expect(charges.every(({ not_charged_units: lost = 0 }) => lost === 0)).toBe(true);
    expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  });

  it.each([
    ['a message', (id: string) => ({ type: 'item_reference', id: `msg_${id}` })],
    ['a message without a type', (id: string) => ({ id: `msg_${id}` })],
    ['a thought', (id: string) => ({ type: 'reasoning', id: `rs_${id}`, summary: [] })],
  ])(
    'is held as it is long by its parts too, so that nobody gets what they cannot pay: %s',
    async (name, item) => {
      const spender = await scene.spender(`crowd with ${name}`, 2 * CONTEXT + 60_000);
      const long = { instructions: 'at length', max_output_tokens: CONTEXT };
      const id = /resp_\d+/.exec((await respond(spender, long)).text)?.[0] ?? '';
      const next = { input: [item(id), { role: 'user', content: 'And?' }] };
      const answers = await Promise.all(Array.from({ length: 10 }, () => respond(spender, next)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const charges = await chargesOf(scene, spender);
      expect(charges.map(({ units }) => units)).toEqual([CONTEXT + ANSWER, CONTEXT + ANSWER]);
    },
  );

  it('is as long as what was added to it since its last turn says', async () => {
    const spender = await scene.spender('adding', 5_000_000);
    await post(spender, '/v1/conversations', {});
    await respond(spender, { conversation: 'conv_1' });
    await respond(spender, { conversation: 'conv_1' });
    expect(await lastHold(spender)).toBeLessThan(CONTEXT + ANSWER + 1000);
    const items = [{ type: 'message', role: 'user', content: LONG }];
    await post(spender, '/v1/conversations/conv_1/items', { items });
    await respond(spender, { conversation: 'conv_1' });
    expect(await lastHold(spender)).toBeGreaterThan(2 * CONTEXT);
  });

  it('of known length holds no more than that', async () => {
    const spender = await scene.spender('rich and known', 5_000_000);
    const first = await respond(spender, { input: LONG });
    await respond(spender, { previous_response_id: /resp_\d+/.exec(first.text)?.[0] });
    expect(await lastHold(spender)).toBeLessThan(CONTEXT + ANSWER + 1000);
  });

  it('of unknown length is held as the longest that the model reads, if there is as much', async () => {
    const spender = await scene.spender('rich and unknown', 5_000_000);
    expect(await respond(spender, { previous_response_id: 'resp_elsewhere' })).toMatchObject({ status: 200 });
    expect(await lastHold(spender)).toBeGreaterThanOrEqual(LONGEST_PROMPT);
  });
});

describe('what others answer at any length', () => {
  const fetches = { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] };
  const asks = { mcp_servers: [{ type: 'url', url: 'https://tools.example/mcp', name: 'tools' }] };
  const asksToo = {
    tools: [{ type: 'mcp', server_label: 'tools', server_url: 'https://tools.example/mcp' }],
  };

  it.each([
    ['pages', (spender: Spender) => message(spender, fetches)],
    ['servers of tools, of Messages', (spender: Spender) => message(spender, asks)],
    ['servers of tools, of Responses', (spender: Spender) => respond(spender, asksToo)],
  ])('is held for as the longest: %s', async (name, ask) => {
    const spender = await scene.spender(`reader of ${name}`, 5_000_000);
    expect(await ask(spender)).toMatchObject({ status: 200 });
    expect(await lastHold(spender)).toBeGreaterThanOrEqual(LONGEST_PROMPT);
    // Who has less has one such call at a time.
    const poor = await scene.spender(`poor reader of ${name}`, 60_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(poor)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
