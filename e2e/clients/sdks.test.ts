import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formats } from '../support/one-format.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { useClients } from './use-clients.ts';

/** The official clients, streaming, with a tool and the turn after it, whatever the upstream speaks. */

const gateway = useClients();
const QUESTION = 'What is the weather in Paris?';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

describe.each(formats)('an upstream that speaks %s', (model) => {
  test('answers the openai client, chat completions', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key(), maxRetries: 0 });
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: SCHEMA } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
    const ask = () =>
      client.chat.completions
        .stream({ model, messages, tools, stream_options: { include_usage: true } })
        .finalChatCompletion();
    const first = await ask();
    const [call] = first.choices[0]?.message.tool_calls ?? [];
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"city":"Paris"}' } });
    messages.push(first.choices[0]?.message ?? { role: 'assistant' });
    messages.push({ role: 'tool', tool_call_id: call?.id ?? '', content: 'sunny' });
    const second = await ask();
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: LAST_WORDS } });
    expect(second.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10 });
  });

  test('answers the openai client, responses', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key(), maxRetries: 0 });
    const tools = [{ type: 'function' as const, name: 'get_weather', parameters: SCHEMA, strict: false }];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: QUESTION }];
    const ask = () => client.responses.stream({ model, input, tools, store: false }).finalResponse();
    const first = await ask();
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'get_weather', arguments: '{"city":"Paris"}' });
    if (call === undefined) return;
    input.push({ type: 'function_call', call_id: call.call_id, name: call.name, arguments: call.arguments });
    input.push({ type: 'function_call_output', call_id: call.call_id, output: 'sunny' });
    const second = await ask();
    expect(second.output_text).toBe(LAST_WORDS);
    expect(second.status).toBe('completed');
    expect(second.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 });
  });

  test('answers the anthropic client', async () => {
    const client = new Anthropic({ baseURL: gateway.url(), apiKey: gateway.key(), maxRetries: 0 });
    const tools = [{ name: 'get_weather', input_schema: { ...SCHEMA, type: 'object' as const } }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
    const ask = () => client.messages.stream({ model, max_tokens: 1000, messages, tools }).finalMessage();
    const first = await ask();
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(first.stop_reason).toBe('tool_use');
    expect(call).toMatchObject({ name: 'get_weather', input: { city: 'Paris' } });
    messages.push({ role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'sunny' }],
    });
    const second = await ask();
    expect(second.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(
      LAST_WORDS,
    );
    expect(second.stop_reason).toBe('end_turn');
    expect(second.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 });
  });

  test('answers the google client', async () => {
    const client = new GoogleGenAI({ apiKey: gateway.key(), httpOptions: { baseUrl: gateway.url() } });
    const config = {
      tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }] }],
    };
    const chat = client.chats.create({ model, config });
    const all = async (message: Parameters<typeof chat.sendMessageStream>[0]['message']) => {
      const chunks = [];
      for await (const chunk of await chat.sendMessageStream({ message })) chunks.push(chunk);
      return chunks;
    };
    const first = await all(QUESTION);
    const [call] = first.flatMap((chunk) => chunk.functionCalls ?? []);
    expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Paris' } });
    const second = await all({
      functionResponse: { id: call?.id ?? '', name: 'get_weather', response: { output: 'sunny' } },
    });
    expect(second.map((chunk) => chunk.text ?? '').join('')).toBe(LAST_WORDS);
    expect(second.at(-1)?.usageMetadata).toMatchObject({ promptTokenCount: 20, candidatesTokenCount: 10 });
  });

  const providers = {
    openai: () => createOpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() })(model),
    'openai chat': () => createOpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() }).chat(model),
    anthropic: () => createAnthropic({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() })(model),
    google: () =>
      createGoogleGenerativeAI({ baseURL: `${gateway.url()}/v1beta`, apiKey: gateway.key() })(model),
  };

  test.each(Object.entries(providers))('answers the ai client, provider %s', async (_, provider) => {
    let ran = 0;
    const result = streamText({
      model: provider(),
      prompt: QUESTION,
      maxRetries: 0,
      // No response is kept here that it could refer to.
      providerOptions: { openai: { store: false } },
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            ran += 1;
            return `sunny in ${city}`;
          },
        }),
      },
    });
    expect(await result.text).toBe(LAST_WORDS);
    expect(ran).toBe(1);
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps.at(-1)?.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  test.each(Object.entries(providers))('answers the ai client whole, provider %s', async (_, provider) => {
    const inputs: unknown[] = [];
    const { text, steps } = await generateText({
      model: provider(),
      system: 'Be brief.',
      prompt: QUESTION,
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: (input) => {
            inputs.push(input);
            return { sky: 'sunny', degrees: 21 };
          },
        }),
      },
    });
    expect(text).toBe(LAST_WORDS);
    expect(inputs).toEqual([{ city: 'Paris' }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  });
});

describe('lists of models', () => {
  test('come in the shape of whoever asks', async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() });
    const anthropic = new Anthropic({ baseURL: gateway.url(), apiKey: gateway.key() });
    const google = new GoogleGenAI({ apiKey: gateway.key(), httpOptions: { baseUrl: gateway.url() } });
    const names = formats.toSorted();
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(names);
    expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(names);
    const listed = [];
    for await (const { name } of await google.models.list()) listed.push(name);
    expect(listed).toEqual(names.map((name) => `models/${name}`));
    expect((await google.models.get({ model: 'gemini' })).displayName).toBe('gemini');
  });
});

describe('errors', () => {
  test('of a wrong key or an unknown model are raised as each client raises them', async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: gateway.url(), apiKey: 'sk-wrong', maxRetries: 0 });
    const google = new GoogleGenAI({ apiKey: 'sk-wrong', httpOptions: { baseUrl: gateway.url() } });
    await expect(openai.responses.create({ model: 'gemini', input: 'x' })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    await expect(
      anthropic.messages.create({
        model: 'gemini',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x' }],
      }),
    ).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    await expect(google.models.generateContent({ model: 'gemini', contents: 'x' })).rejects.toMatchObject({
      status: 401,
    });
    const known = new Anthropic({ baseURL: gateway.url(), apiKey: gateway.key(), maxRetries: 0 });
    await expect(
      known.messages.create({ model: 'nothing', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }),
    ).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
    const unknown = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key(), maxRetries: 0 });
    const asked = unknown.responses.create({ model: 'gemini1', input: 'x' });
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(asked).rejects.toThrow(/gemini1.*gemini/);
  });
});
