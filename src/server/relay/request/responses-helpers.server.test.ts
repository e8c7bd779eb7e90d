import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import type { ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { role } from '#contract/codes.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { payingKey } from '../../http/testing/paying-key.ts';
import { setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** What OpenAI's own client does with responses, at upstreams of each of the four formats. */

const MODELS = ['gpt-reason', 'kimi-reason', 'claude-reason-4-5', 'gemini-reason-3-pro'] as const;
const TYPES = [1, 25, 14, 24] as const;
const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  const stage = await setStage(server);
  const root = await stage.person('root', role.root);
  const ratios = Object.fromEntries(MODELS.map((model) => [model, 1]));
  await server.parts.stores.options.set('ModelRatio', JSON.stringify(ratios), 1);
  for (const [index, model] of MODELS.entries())
    await stage.channel(root, { type: TYPES[index] ?? 1, baseUrl: simulator.url, models: model });
  const apiKey = `sk-${await payingKey(server, await stage.person('alice'))}`;
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const Answer = z.object({ answer: z.string(), certain: z.boolean() });
const weather = zodResponsesFunction({
  name: 'get_weather',
  description: 'The weather of a place',
  parameters: z.object({ city: z.string() }),
});
const sentBody = async (): Promise<Record<string, unknown>> =>
  (await simulator.calls()).last?.body as Record<string, unknown>;

describe.each(MODELS)('responses of %s', (model) => {
  it('are streamed with every event in order, and the events add up to the last one', async () => {
    const stream = client.responses.stream({ model, input: 'say one two three', store: false });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const final = await stream.finalResponse();
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? [event.delta] : [],
    );
    expect(deltas.join('')).toBe('one two three');
    expect(final.output_text).toBe('one two three');
    expect(final.status).toBe('completed');
    expect(final.usage?.total_tokens).toBe(
      (final.usage?.input_tokens ?? 0) + (final.usage?.output_tokens ?? 0),
    );
  });

  it('are parsed by a schema, whole and streamed', async () => {
    const ask = {
      model,
      input: 'is it sure?',
      store: false,
      text: { format: zodTextFormat(Answer, 'answer') },
    };
    expect((await client.responses.parse(ask)).output_parsed).toMatchObject({ certain: true });
    expect((await client.responses.stream(ask).finalResponse()).output_parsed).toMatchObject({
      certain: true,
    });
  });

  it('call tools with parsed arguments, and continue from their results', async () => {
    const input: ResponseInput = [{ role: 'user', content: 'the weather in Berlin?' }];
    const first = await client.responses
      .stream({ model, input, store: false, tools: [weather] })
      .finalResponse();
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls).toMatchObject([{ name: 'get_weather', parsed_arguments: { city: 'Berlin' } }]);
    const results = calls.map(({ call_id }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: [{ type: 'input_text' as const, text: 'rain' }],
    }));
    const second = await client.responses.create({
      model,
      store: false,
      tools: [weather],
      input: [...input, ...(first.output as ResponseInput), ...results],
    });
    expect(second.output_text).toMatch(/rain/);
  });

  it('think, and accept their encrypted thoughts back', async () => {
    const ask = {
      model,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
    };
    const first = await client.responses.create({ ...ask, input: 'say thought' });
    const [thought] = first.output.filter((item) => item.type === 'reasoning');
    expect(thought?.summary[0]?.text).toMatch(/^The user wants/);
    expect(thought?.encrypted_content).toEqual(expect.any(String));
    const input = [
      { role: 'user' as const, content: 'say thought' },
      ...(first.output as ResponseInput),
      { role: 'user' as const, content: 'say again' },
    ];
    expect((await client.responses.create({ ...ask, input })).output_text).toBe('again');
    const sent = JSON.stringify(await sentBody());
    // The seal of another format's upstream never reaches this one.
    expect(sent).not.toContain('"from.');
  });

  it('read pictures and files', async () => {
    const picture = 'data:image/png;base64,iVBORw0KGgo=';
    const pdf = 'data:application/pdf;base64,JVBERi0xLjQ=';
    const answer = await client.responses.create({
      model,
      store: false,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'say seen' },
            { type: 'input_image', image_url: picture, detail: 'auto' },
            { type: 'input_file', filename: 'a.pdf', file_data: pdf },
          ],
        },
      ],
    });
    expect(answer.output_text).toBe('seen');
    const sent = JSON.stringify(await sentBody());
    expect(sent).toContain('iVBORw0KGgo=');
    expect(sent).toContain('JVBERi0xLjQ=');
  });

  it('that reach their limit are incomplete, whole and streamed', async () => {
    const ask = { model, input: 'tell me about trips', max_output_tokens: 16, store: false };
    const expected = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(await client.responses.create(ask)).toMatchObject(expected);
    const types: string[] = [];
    const stream = client.responses.stream(ask);
    for await (const { type } of stream) types.push(type);
    expect(types.at(-1)).toBe('response.incomplete');
    expect(await stream.finalResponse()).toMatchObject(expected);
  });

  it("return the caller's metadata", async () => {
    const metadata = { order: '7' };
    const answer = await client.responses.create({ model, input: 'say x', metadata, store: false });
    // The fake upstream of the native one does not repeat it.
    expect(model === 'gpt-reason' || answer.metadata?.['order'] === '7').toBe(true);
  });
});
