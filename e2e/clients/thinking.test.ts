import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { useFormats } from '../faults/use-formats.ts';
import { formats } from '../support/one-format.ts';
import { SEAL, startThinkingUpstream } from '../support/upstreams/thinking-upstream.ts';

/** A signed thought returns to its upstream with the result of its tool call, whatever client is in between. */

const QUESTION = 'What is the weather in Paris?';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
/** For each maker, a model name with thinking. */
const MODELS: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'gpt-5-router',
  'openai-responses': 'gpt-5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro',
};

const { rig, upstream } = useFormats(startThinkingUpstream, (format) => MODELS[format]);
beforeEach(() => void upstream().asked.splice(0));

type Fields = Record<string, unknown>;

/** The parts of its thought that each format's upstream must find in the second request. */
const sealed: Readonly<Record<DialectName, (body: Fields) => unknown>> = {
  'openai-chat': ({ messages }) =>
    (messages as Fields[]).flatMap((message) =>
      ((message['reasoning_details'] ?? []) as Fields[]).map(({ text, signature }) => ({ text, signature })),
    ),
  'openai-responses': ({ input }) =>
    (input as Fields[])
      .filter(({ type }) => type === 'reasoning')
      .map((item) => ({
        text: (item['summary'] as Fields[])[0]?.['text'],
        signature: item['encrypted_content'],
      })),
  'anthropic-messages': ({ messages }) =>
    (messages as { content: Fields[] }[])
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'thinking')
      .map(({ thinking, signature }) => ({ text: thinking, signature })),
  gemini: ({ contents }) =>
    (contents as { parts: Fields[] }[])
      .flatMap(({ parts }) => parts)
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ thoughtSignature }) => ({ text: 'The sky tells.', signature: thoughtSignature })),
};

const thoughtsSentBack = (format: DialectName): unknown => {
  const [, second] = upstream().asked;
  expect(JSON.stringify(second)).not.toContain('from.');
  return sealed[format](second ?? {});
};
const WHOLE = [{ text: 'The sky tells.', signature: SEAL }];

describe.each(formats)('the thought of an upstream that speaks %s', (format) => {
  const model = MODELS[format];

  test('comes back through the openai client, chat completions', async () => {
    const client = new OpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key, maxRetries: 0 });
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: SCHEMA } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
    const ask = () =>
      client.chat.completions
        .stream({ model, messages, tools, reasoning_effort: 'medium', max_tokens: 20_000 })
        .finalChatCompletion();
    const message = (await ask()).choices[0]?.message;
    if (message === undefined) throw new Error('no answer');
    messages.push(message);
    messages.push({ role: 'tool', tool_call_id: message.tool_calls?.[0]?.id ?? '', content: 'sunny' });
    await ask();
    // The client keeps the last of what a stream repeats, and where both sides speak chat nobody repeats it whole.
    const expected = format === 'openai-chat' ? [{ signature: SEAL }] : WHOLE;
    expect(thoughtsSentBack(format)).toEqual(expected);
  });

  test('comes back through the openai client, responses', async () => {
    const client = new OpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key, maxRetries: 0 });
    const tools = [{ type: 'function' as const, name: 'get_weather', parameters: SCHEMA, strict: false }];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: QUESTION }];
    const ask = () =>
      client.responses
        .stream({
          model,
          input,
          tools,
          store: false,
          reasoning: { effort: 'medium', summary: 'auto' },
          include: ['reasoning.encrypted_content'],
        })
        .finalResponse();
    const { output } = await ask();
    const call = output.find((item) => item.type === 'function_call');
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    input.push({ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' });
    await ask();
    expect(thoughtsSentBack(format)).toEqual(WHOLE);
  });

  test('comes back through the anthropic client', async () => {
    const client = new Anthropic({ baseURL: rig().url, apiKey: rig().key, maxRetries: 0 });
    const tools = [{ name: 'get_weather', input_schema: { ...SCHEMA, type: 'object' as const } }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
    const ask = () =>
      client.messages
        .stream({
          model,
          max_tokens: 20_000,
          messages,
          tools,
          thinking: { type: 'enabled', budget_tokens: 2048 },
        })
        .finalMessage();
    const { content } = await ask();
    const call = content.find((block) => block.type === 'tool_use');
    messages.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'sunny' }],
    });
    await ask();
    expect(thoughtsSentBack(format)).toEqual(WHOLE);
  });

  test('comes back through the google client', async () => {
    const client = new GoogleGenAI({ apiKey: rig().key, httpOptions: { baseUrl: rig().url } });
    const chat = client.chats.create({
      model,
      config: {
        tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }] }],
        thinkingConfig: { thinkingBudget: 2048, includeThoughts: true },
      },
    });
    const all = async (message: Parameters<typeof chat.sendMessageStream>[0]['message']) => {
      const chunks = [];
      for await (const chunk of await chat.sendMessageStream({ message })) chunks.push(chunk);
      return chunks;
    };
    const [call] = (await all(QUESTION)).flatMap((chunk) => chunk.functionCalls ?? []);
    await all({
      functionResponse: { id: call?.id ?? '', name: 'get_weather', response: { output: 'sunny' } },
    });
    expect(thoughtsSentBack(format)).toEqual(WHOLE);
  });

  const providers = {
    openai: () => createOpenAI({ baseURL: `${rig().url}/v1`, apiKey: rig().key })(model),
    anthropic: () => createAnthropic({ baseURL: `${rig().url}/v1`, apiKey: rig().key })(model),
    google: () => createGoogleGenerativeAI({ baseURL: `${rig().url}/v1beta`, apiKey: rig().key })(model),
  };

  test.each(Object.entries(providers))(
    'comes back through the ai client, provider %s',
    async (_, provider) => {
      const result = streamText({
        model: provider(),
        prompt: QUESTION,
        maxRetries: 0,
        providerOptions: {
          openai: {
            store: false,
            forceReasoning: true,
            reasoningSummary: 'auto',
            include: ['reasoning.encrypted_content'],
          },
          anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } },
          google: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } },
        },
        stopWhen: stepCountIs(2),
        tools: {
          get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: () => 'sunny' }),
        },
      });
      await result.consumeStream();
      expect(thoughtsSentBack(format)).toEqual(WHOLE);
    },
  );
});
