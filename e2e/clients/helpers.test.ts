import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { type CallableTool, GoogleGenAI } from '@google/genai';
import { generateText, Output, streamText } from 'ai';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formats } from '../support/one-format.ts';
import { LAST_WORDS, OBJECT } from '../support/upstreams/scripted-upstream.ts';
import { useClients } from './use-clients.ts';

/** Conveniences of the official clients: objects by a schema, tool loops, files, token counts. */

const gateway = useClients();
const Place = z.object({ place: z.string(), degrees: z.number() });
const City = z.object({ city: z.string() });
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');
const ask = [{ role: 'user' as const, content: 'How warm is it?' }];

const openai = () => new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key(), maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: gateway.url(), apiKey: gateway.key(), maxRetries: 0 });
const google = () => new GoogleGenAI({ apiKey: gateway.key(), httpOptions: { baseUrl: gateway.url() } });
const providers = {
  openai: (model: string) => createOpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() })(model),
  chat: (model: string) =>
    createOpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() }).chat(model),
  anthropic: (model: string) =>
    createAnthropic({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() })(model),
  google: (model: string) =>
    createGoogleGenerativeAI({ baseURL: `${gateway.url()}/v1beta`, apiKey: gateway.key() })(model),
};

beforeEach(() => void gateway.asked().splice(0));

describe.each(formats)('an upstream that speaks %s', (model) => {
  test('gives the openai client objects, whole and streamed', async () => {
    const response_format = zodResponseFormat(Place, 'place');
    const text = { format: zodTextFormat(Place, 'place') };
    const chats = openai().chat.completions;
    const { responses } = openai();
    const parsed = [
      (await chats.parse({ model, messages: ask, response_format })).choices[0]?.message.parsed,
      (await chats.stream({ model, messages: ask, response_format }).finalChatCompletion()).choices[0]
        ?.message.parsed,
      (await responses.parse({ model, input: 'x', store: false, text })).output_parsed,
      (await responses.stream({ model, input: 'x', store: false, text }).finalResponse()).output_parsed,
    ];
    expect(parsed).toEqual([OBJECT, OBJECT, OBJECT, OBJECT]);
  });

  test.each([false, true])('lets the openai client run its tools, stream: %s', async (stream) => {
    const given: unknown[] = [];
    const tool = zodFunction({
      name: 'get_weather',
      parameters: City,
      function: (args) => {
        given.push(args);
        return 'sunny';
      },
    });
    const params = { model, messages: ask, tools: [tool] };
    const chats = openai().chat.completions;
    const runner = stream
      ? chats.runTools({ ...params, stream, stream_options: { include_usage: true } })
      : chats.runTools(params);
    expect(await runner.finalContent()).toBe(LAST_WORDS);
    expect(given).toEqual([{ city: 'Paris' }]);
    expect(await runner.totalUsage()).toMatchObject({ prompt_tokens: 40, completion_tokens: 20 });
  });

  test('calls the function of a schema for the openai client, responses', async () => {
    const tools = [zodResponsesFunction({ name: 'get_weather', parameters: City })];
    const { output } = await openai().responses.parse({ model, input: 'x', store: false, tools });
    expect(output.find(({ type }) => type === 'function_call')).toMatchObject({
      parsed_arguments: { city: 'Paris' },
    });
  });

  test('gives the anthropic client objects, whole and streamed', async () => {
    const output_config = { format: zodOutputFormat(Place) };
    const params = { model, max_tokens: 100, messages: ask, output_config };
    const { messages } = anthropic();
    expect((await messages.parse(params)).parsed_output).toEqual(OBJECT);
    expect((await messages.stream(params).finalMessage()).parsed_output).toEqual(OBJECT);
  });

  test.each([false, true])('lets the anthropic client run its tools, stream: %s', async (stream) => {
    const given: unknown[] = [];
    const tool = betaZodTool({
      name: 'get_weather',
      description: 'tells the weather',
      inputSchema: City,
      run: (input) => {
        given.push(input);
        return 'sunny';
      },
    });
    const params = { model, max_tokens: 100, messages: ask, tools: [tool], stream };
    const message = await anthropic().beta.messages.toolRunner(params).runUntilDone();
    expect(message.content).toMatchObject([{ type: 'text', text: LAST_WORDS }]);
    expect(given).toEqual([{ city: 'Paris' }]);
  });

  test('gives the google client objects, and lets it run its tools', async () => {
    const { models } = google();
    const config = { responseMimeType: 'application/json', responseJsonSchema: z.toJSONSchema(Place) };
    const answer = await models.generateContent({ model, contents: 'x', config });
    expect(JSON.parse(answer.text ?? '')).toEqual(OBJECT);
    const callable: CallableTool = {
      tool: async () => ({
        functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }],
      }),
      callTool: async (calls) =>
        calls.map(({ id = '', name = '' }) => ({
          functionResponse: { id, name, response: { output: 'sunny' } },
        })),
    };
    const ran = await models.generateContent({ model, contents: 'x', config: { tools: [callable] } });
    expect(ran.text).toBe(LAST_WORDS);
    expect(ran.automaticFunctionCallingHistory).toHaveLength(3);
  });

  test('is shown pictures and documents by every client', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: PNG } };
    const document = { inlineData: { mimeType: 'application/pdf', data: PDF } };
    const image_url = { url: `data:image/png;base64,${PNG}` };
    const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` };
    await google().models.generateContent({ model, contents: [picture, document, { text: 'x' }] });
    await openai().chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url },
            { type: 'file', file },
          ],
        },
      ],
    });
    await openai().responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: image_url.url, detail: 'auto' },
            { type: 'input_file', ...file },
          ],
        },
      ],
    });
    await anthropic().messages.create({
      model,
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
          ],
        },
      ],
    });
    const content = [
      { type: 'file' as const, data: Buffer.from(PNG, 'base64'), mediaType: 'image/png' },
      {
        type: 'file' as const,
        data: Buffer.from(PDF, 'base64'),
        mediaType: 'application/pdf',
        filename: 'a.pdf',
      },
    ];
    for (const provider of Object.values(providers))
      await generateText({ model: provider(model), maxRetries: 0, messages: [{ role: 'user', content }] });
    const seen = gateway.asked().map(({ text }) => text.includes(PNG) && text.includes(PDF));
    expect(seen).toEqual([true, true, true, true, true, true, true, true]);
  });

  test.each(Object.entries(providers))('gives the ai client objects, provider %s', async (_, provider) => {
    const params = {
      model: provider(model),
      prompt: 'x',
      maxRetries: 0,
      output: Output.object({ schema: Place }),
    };
    expect((await generateText(params)).output).toEqual(OBJECT);
    const streamed = streamText(params);
    const pieces: unknown[] = [];
    for await (const piece of streamed.partialOutputStream) pieces.push(piece);
    expect(pieces.at(-1)).toEqual(OBJECT);
  });

  test('has tokens counted in every format', async () => {
    const content = 'Hello world, how are you?';
    const messages = [{ role: 'user' as const, content }];
    const { input_tokens } = await anthropic().messages.countTokens({ model, messages });
    const { totalTokens } = await google().models.countTokens({ model, contents: content });
    const counted = await openai().responses.inputTokens.count({ model, input: content });
    for (const count of [input_tokens, totalTokens, counted.input_tokens]) {
      expect(count).toBeGreaterThan(4);
      expect(count).toBeLessThan(20);
    }
    expect(gateway.asked()).toEqual([]);
  });
});
