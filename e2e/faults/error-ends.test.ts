import { describe, expect, onTestFinished, test } from 'vitest';
import type { OptionValues } from '../../src/contract/options.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { startRig } from './rig.ts';
import { useFormats } from './use-formats.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';

/** The end of a stream that fails midway: in the stream's own format, with the upstream's words if callers may see them. */

type Json = Readonly<Record<string, unknown>>;

const { rig, upstream, post } = useFormats(startStepwiseUpstream);

const ask = async (path: string, body: Json): Promise<string> => {
  const response = await post(path, body);
  return upstream().read(response);
};
const respond = (model: DialectName): Promise<string> =>
  ask('/v1/responses', { model, input: 'hi', stream: true });
const chat = (model: DialectName, more: Json = {}): Promise<string> =>
  ask('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }], stream: true, ...more });

const bodiesIn = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Json);

const event = (body: Json): string => `event: ${String(body['type'])}\ndata: ${JSON.stringify(body)}\n\n`;
const chunk = (body: Json): string => `data: ${JSON.stringify({ id: 'c1', model: 'up', ...body })}\n\n`;
const said = (content: string): string =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const response = { id: 'resp_up', object: 'response', created_at: 7, model: 'up-1', output: [], usage: null };
const BEGUN =
  event({ type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } }) +
  event({
    type: 'response.output_item.added',
    sequence_number: 1,
    output_index: 0,
    item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
  }) +
  event({
    type: 'response.output_text.delta',
    sequence_number: 2,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'Hel',
  });

/** The part that the caller received. */
const SHOWN = [
  { id: 'msg_1', type: 'message', status: 'incomplete', content: [{ type: 'output_text', text: 'Hel' }] },
];

describe('a stream of Responses', () => {
  const endOf = (text: string) => {
    const bodies = bodiesIn(text);
    const failed = bodies.at(-1);
    return { numbers: bodies.map((body) => body['sequence_number']), failed, bodies };
  };

  test('that breaks off goes on with its numbers, as the same response', async () => {
    upstream().say({ pieces: [BEGUN], cut: true });
    const { numbers, failed } = endOf(await respond('openai-responses'));
    expect(numbers).toEqual([0, 1, 2, 3, 4]);
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: {
        id: 'resp_up',
        model: 'up-1',
        status: 'failed',
        error: { code: 'server_error' },
        output: SHOWN,
      },
    });
  });

  test.each<[string, Partial<OptionValues>]>([
    ['by the call', { ModelPrice: { 'openai-responses': 0.01 } }],
    ['not at all', { GroupRatio: { default: 0 } }],
  ])('that breaks off and is paid %s repeats what it has shown as well', async (_, prices) => {
    const format = 'openai-responses';
    const channel = { type: typeOfFormat(format), baseUrl: upstream().addressOf(format), models: format };
    const options = { ModelRatio: { [format]: 1 }, RetryTimes: 0, ...prices };
    const paidSo = await startRig([channel], options, undefined, oneFormatUpstream);
    onTestFinished(() => paidSo.stop());
    upstream().say({ pieces: [BEGUN], cut: true });
    const answer = await fetch(`${paidSo.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${paidSo.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: format, input: 'hi', stream: true }),
    });
    const { failed } = endOf(await upstream().read(answer));
    expect(failed).toMatchObject({ type: 'response.failed', response: { id: 'resp_up', output: SHOWN } });
  });

  test('of another format continues its sequence numbers, and repeats the text so far', async () => {
    upstream().say({ pieces: [said('Hel'), chunk({ error: { message: 'too hot', type: 'server_error' } })] });
    const { numbers, failed, bodies } = endOf(await respond('openai-chat'));
    expect(numbers).toEqual(numbers.map((_, at) => at));
    const created = bodies[0]?.['response'] as Json;
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: {
        id: created['id'],
        model: 'up',
        status: 'failed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hel' }] }],
      },
    });
  });

  test('that fails with an error event passes it on', async () => {
    const error = { code: 'server_error', message: 'The server had an error while processing your request.' };
    const failing = event({
      type: 'response.failed',
      sequence_number: 3,
      response: { ...response, status: 'failed', error },
    });
    upstream().say({ pieces: [BEGUN, failing] });
    expect(await respond('openai-responses')).toBe(BEGUN + failing);
  });

  test("that fails by a problem between operator and upstream does not show the upstream's words", async () => {
    const error = {
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, check your plan.',
    };
    const failing = event({
      type: 'response.failed',
      sequence_number: 3,
      response: { ...response, status: 'failed', error },
    });
    upstream().say({ pieces: [BEGUN, failing] });
    const text = await respond('openai-responses');
    expect(text).not.toContain('current quota');
    expect(endOf(text).failed).toMatchObject({ sequence_number: 4, response: { id: 'resp_up' } });
  });
});

describe('a stream of chats', () => {
  const generation = '<function=f>{"a":</function>';
  const failing = chunk({
    error: {
      message: "Failed to call a function. See 'failed_generation' for more details.",
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      failed_generation: generation,
    },
  });
  const cost = chunk({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } });
  const DONE = 'data: [DONE]\n\n';

  test('keeps the error event of its upstream, and what follows it', async () => {
    upstream().say({ pieces: [said('Hel'), failing, cost, DONE] });
    // The call before is charged.
    await expect.poll(rig().openHolds).toBe(0);
    const used = (await rig().balance()).used;
    const text = await chat('openai-chat', { stream_options: { include_usage: true } });
    expect(text).toBe(said('Hel') + failing + cost + DONE);
    await expect.poll(rig().openHolds).toBe(0);
    expect((await rig().balance()).used - used).toBe(16);
  });

  test('reports usage to callers of other formats, and keeps the kind of error', async () => {
    upstream().say({ pieces: [said('Hel') + cost, failing] });
    const text = await respond('openai-chat');
    expect(bodiesIn(text).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'tool_use_failed' }, usage: { input_tokens: 11, output_tokens: 5 } },
    });
    expect(text).toContain('failed_generation');
  });

  test('does not repeat an error that holds a key', async () => {
    const error = { message: 'The key sk-abcdefghijklmnop is overloaded', type: 'overloaded_error' };
    upstream().say({ pieces: [said('Hel'), chunk({ error })] });
    const text = await chat('openai-chat');
    expect(text).not.toContain('sk-abcdefghijklmnop');
    expect(text).toMatch(/"error":\{"message":"The key \[key\] is overloaded/);
  });
});
