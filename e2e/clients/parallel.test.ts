import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useFormats } from '../faults/use-formats.ts';
import { formats } from '../support/one-format.ts';
import { BOTH_KNOWN, CALLS, startParallelUpstream } from '../support/upstreams/parallel-upstream.ts';

/** Two tools called at once, in a stream, and the cached tokens: every client gets the same from every upstream. */

const { rig, upstream } = useFormats(startParallelUpstream);
beforeEach(() => void upstream().asked.splice(0));

const QUESTION = 'How is the weather in Paris, and what time is it in Tokyo?';
const schemaOf = (field: string) => ({
  type: 'object' as const,
  properties: { [field]: { type: 'string' } },
  required: [field],
});
const TOOLS = [
  { name: 'get_weather', schema: schemaOf('city') },
  { name: 'get_time', schema: schemaOf('zone') },
];
const RESULTS: Readonly<Record<string, string>> = { get_weather: 'sunny', get_time: 'noon' };
const expected = CALLS.map(({ name, arguments: input }) => ({ name, input }));
/** Each result belongs to its call, whatever the ids were in transit. */
const resultsArrived = (): void => {
  const text = upstream().asked[1]?.text ?? '';
  expect(text.indexOf('sunny')).toBeGreaterThan(-1);
  expect(text.indexOf('noon')).toBeGreaterThan(text.indexOf('sunny'));
};

describe.each(formats)('an upstream that speaks %s', (model) => {
  test('has both its calls run by the openai client, chat completions', async () => {
    const client = new OpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key, maxRetries: 0 });
    const tools = TOOLS.map(({ name, schema }) => ({
      type: 'function' as const,
      function: { name, parameters: schema },
    }));
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
    const ask = () =>
      client.chat.completions
        .stream({
          model,
          messages,
          tools,
          parallel_tool_calls: true,
          stream_options: { include_usage: true },
        })
        .finalChatCompletion();
    const first = await ask();
    const message = first.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(
      calls.map((call) =>
        call.type === 'function'
          ? { name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }
          : {},
      ),
    ).toEqual(expected);
    messages.push(message ?? { role: 'assistant' });
    // In reverse order of the calls.
    for (const call of calls.toReversed())
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: RESULTS[call.type === 'function' ? call.function.name : ''] ?? '',
      });
    const second = await ask();
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: BOTH_KNOWN } });
    expect(second.usage).toMatchObject({
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens: 12,
    });
  });

  test('has both its calls run by the openai client, responses', async () => {
    const client = new OpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key, maxRetries: 0 });
    const tools = TOOLS.map(({ name, schema }) => ({
      type: 'function' as const,
      name,
      parameters: schema,
      strict: false,
    }));
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: QUESTION }];
    const ask = () => client.responses.stream({ model, input, tools, store: false }).finalResponse();
    const first = await ask();
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as unknown }))).toEqual(
      expected,
    );
    for (const { call_id, name, arguments: text } of calls)
      input.push({ type: 'function_call', call_id, name, arguments: text });
    for (const { call_id, name } of calls)
      input.push({ type: 'function_call_output', call_id, output: RESULTS[name] ?? '' });
    const second = await ask();
    expect(second.output_text).toBe(BOTH_KNOWN);
    resultsArrived();
    expect(second.usage).toMatchObject({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 12,
    });
  });

  test('has both its calls run by the anthropic client, which hears what the cache saved', async () => {
    const client = new Anthropic({ baseURL: rig().url, apiKey: rig().key, maxRetries: 0 });
    const tools = TOOLS.map(({ name, schema }) => ({ name, input_schema: schema }));
    const messages: Anthropic.Beta.BetaMessageParam[] = [
      { role: 'user', content: [{ type: 'text', text: QUESTION, cache_control: { type: 'ephemeral' } }] },
    ];
    const betas = ['interleaved-thinking-2025-05-14', 'fine-grained-tool-streaming-2025-05-14'];
    const ask = () =>
      client.beta.messages
        .stream({
          model,
          max_tokens: 1000,
          betas,
          messages,
          tools,
          system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        })
        .finalMessage();
    const first = await ask();
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(expected);
    expect(first.stop_reason).toBe('tool_use');
    messages.push({ role: 'assistant', content: first.content as Anthropic.Beta.BetaContentBlockParam[] });
    messages.push({
      role: 'user',
      content: calls.map(({ id, name }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: RESULTS[name] ?? '',
      })),
    });
    const second = await ask();
    expect(second.content).toMatchObject([{ type: 'text', text: BOTH_KNOWN }]);
    resultsArrived();
    expect(second.usage).toMatchObject({
      input_tokens: 36,
      cache_read_input_tokens: 64,
      output_tokens: 12,
    });
  });

  test('has both its calls run by the google client', async () => {
    const client = new GoogleGenAI({ apiKey: rig().key, httpOptions: { baseUrl: rig().url } });
    const functionDeclarations = TOOLS.map(({ name, schema }) => ({ name, parametersJsonSchema: schema }));
    const chat = client.chats.create({ model, config: { tools: [{ functionDeclarations }] } });
    const all = async (message: Parameters<typeof chat.sendMessageStream>[0]['message']) => {
      const chunks = [];
      for await (const chunk of await chat.sendMessageStream({ message })) chunks.push(chunk);
      return chunks;
    };
    const calls = (await all(QUESTION)).flatMap((chunk) => chunk.functionCalls ?? []);
    expect(calls.map(({ name, args }) => ({ name, input: args }))).toEqual(expected);
    const second = await all(
      calls.map(({ id, name = '' }) => ({
        functionResponse: { ...(id !== undefined && { id }), name, response: { output: RESULTS[name] } },
      })),
    );
    expect(second.map((chunk) => chunk.text ?? '').join('')).toBe(BOTH_KNOWN);
    resultsArrived();
    expect(second.at(-1)?.usageMetadata).toMatchObject({
      promptTokenCount: 100,
      cachedContentTokenCount: 64,
      candidatesTokenCount: 12,
    });
  });

  const providers = {
    openai: () => createOpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key })(model),
    'openai chat': () => createOpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key }).chat(model),
    anthropic: () => createAnthropic({ baseURL: `${rig().url}/v1`, apiKey: rig().key })(model),
    google: () => createGoogleGenerativeAI({ baseURL: `${rig().url}/v1beta`, apiKey: rig().key })(model),
  };

  test.each(Object.entries(providers))(
    'has both its calls run by the ai client, provider %s',
    async (_, of) => {
      const ran: unknown[] = [];
      const running = (name: string) => (input: unknown) => {
        ran.push({ name, input });
        return RESULTS[name] ?? '';
      };
      const result = streamText({
        model: of(),
        prompt: QUESTION,
        maxRetries: 0,
        providerOptions: { openai: { store: false } },
        stopWhen: stepCountIs(3),
        tools: {
          get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: running('get_weather') }),
          get_time: tool({ inputSchema: z.object({ zone: z.string() }), execute: running('get_time') }),
        },
      });
      expect(await result.text).toBe(BOTH_KNOWN);
      expect(ran).toEqual(expected);
      resultsArrived();
      const { usage } = (await result.steps).at(-1) ?? {};
      expect(usage).toMatchObject({
        inputTokens: 100,
        inputTokenDetails: { cacheReadTokens: 64 },
        outputTokens: 12,
      });
    },
  );
});
