import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { noUsage } from '#core/chat/usage.ts';
import { fold } from '../../dialects/testing/fold.ts';
import { converse } from './converse.ts';
import { readBedrockFrames } from './event-stream.ts';
import { writeFrame } from '../../dialects/sse.ts';
import { readStream } from '../../dialects/testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../../dialects/testing/recorded-exchanges.ts';

const asking = (beside: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'us.amazon.nova-pro-v1:0',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  extras: {},
  ...beside,
});

describe('a request to Converse', () => {
  test('says limits, instructions, tools and their results in its own words', () => {
    const request = asking({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'weather?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'tool-call', id: 'call|1', name: 'weather', argumentsText: '{"city":"Paris"}' },
            { type: 'tool-call', id: 'call2', name: 'weather', argumentsText: '' },
          ],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId: 'call|1', content: [{ type: 'text', text: 'sun' }] }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId: 'call2', content: [], isError: true }],
        },
      ],
      tools: [{ name: 'weather', parameters: { properties: { city: {} }, additionalProperties: false } }],
      toolChoice: 'required',
      maxOutputTokens: 9,
      temperature: 2,
      topP: 0.5,
      stop: ['END'],
    });
    expect(converse.writeRequest(request)).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'weather?' }] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Paris' } } },
            { toolUse: { toolUseId: 'call2', name: 'weather', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'call_1', content: [{ text: 'sun' }] } },
            { toolResult: { toolUseId: 'call2', content: [{ text: '(nothing)' }], status: 'error' } },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 9, temperature: 1, topP: 0.5, stopSequences: ['END'] },
      toolConfig: {
        // Nova reads three of a schema's outermost fields.
        tools: [
          {
            toolSpec: {
              name: 'weather',
              inputSchema: { json: { type: 'object', properties: { city: {} } } },
            },
          },
        ],
        toolChoice: { any: {} },
      },
    });
  });

  test('carries pictures and documents as bytes, each document under a name of its own beside a text', () => {
    const pdf = { from: 'base64', mediaType: 'application/pdf', data: 'JVBE' } as const;
    const request = asking({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', media: { from: 'base64', mediaType: 'image/jpeg', data: '/9j/' } },
            { type: 'file', media: pdf, name: 'the_report.v2.pdf' },
            { type: 'file', media: pdf, name: 'the report v2' },
          ],
        },
      ],
    });
    expect(converse.writeRequest(request)).toMatchObject({
      messages: [
        {
          content: [
            { text: 'The document:' },
            { image: { format: 'jpeg', source: { bytes: '/9j/' } } },
            { document: { format: 'pdf', name: 'the report v2', source: { bytes: 'JVBE' } } },
            { document: { format: 'pdf', name: 'the report v2 2' } },
          ],
        },
      ],
    });
  });

  test('keeps the prompt where a caller of Messages wants it kept, for models that are told so', () => {
    const told = {
      type: 'text',
      text: 'Long.',
      extras: { 'anthropic-messages': { cache_control: { type: 'ephemeral' } } },
    } as const;
    const messages = [
      { role: 'system', content: [told] },
      { role: 'user', content: [told, { type: 'text', text: 'hi' }] },
    ] as const;
    const cachePoint = { type: 'default' };
    expect(converse.writeRequest(asking({ messages }))).toMatchObject({
      system: [{ text: 'Long.' }, { cachePoint }],
      messages: [{ content: [{ text: 'Long.' }, { cachePoint }, { text: 'hi' }] }],
    });
    expect(
      JSON.stringify(converse.writeRequest(asking({ model: 'qwen.qwen3-32b-v1:0', messages }))),
    ).not.toContain('cachePoint');
  });

  test('refuses what only another format can say, and leaves it out where a model said it', () => {
    const held = {
      type: 'text',
      text: '',
      extras: { 'anthropic-messages': { type: 'search_result', source: 's' } },
    } as const;
    expect(() => converse.writeRequest(asking({ messages: [{ role: 'user', content: [held] }] }))).toThrow(
      'messages.0: ',
    );
    const user = { role: 'user', content: [{ type: 'text', text: 'hi' }] } as const;
    const messages = [user, { role: 'assistant', content: [held] }, user] as const;
    expect(converse.writeRequest(asking({ messages }))['messages']).toEqual([
      { role: 'user', content: [{ text: 'hi' }, { text: 'hi' }] },
    ]);
  });

  test('asks for a schema as the model can be asked', () => {
    const responseFormat = { type: 'json-schema', name: 'city', schema: { type: 'object' } } as const;
    expect(converse.writeRequest(asking({ model: 'qwen.qwen3-32b-v1:0', responseFormat }))).toMatchObject({
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: 'city', schema: '{"type":"object"}' } },
        },
      },
    });
    const told = converse.writeRequest(asking({ responseFormat }));
    expect(told).not.toHaveProperty('outputConfig');
    expect(JSON.stringify(told['system'])).toContain('fits this JSON schema');
  });

  test.each([
    ['openai.gpt-oss-120b-1:0', { effort: 'high' }, { reasoning_effort: 'high' }, true],
    [
      'us.amazon.nova-2-lite-v1:0',
      { effort: 'low' },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
      true,
    ],
    [
      'us.amazon.nova-2-lite-v1:0',
      { effort: 'max' },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
      false,
    ],
    ['us.meta.llama4-maverick-17b-instruct-v1:0', { effort: 'high' }, undefined, true],
  ] as const)('tells %s how hard to think: %j', (model, reasoning, fields, limited) => {
    const written = converse.writeRequest(asking({ model, reasoning, temperature: 0 }));
    expect(written['additionalModelRequestFields']).toEqual(fields);
    expect(written['inferenceConfig']).toEqual(limited ? { temperature: 0 } : undefined);
  });

  test.each([
    [{ choices: 2 }, "'n': "],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', media: { from: 'url', url: 'https://x.example/a.png' } }],
          },
        ],
      },
      'messages.0: ',
    ],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'audio', media: { from: 'base64', data: 'AA', mediaType: 'audio/wav' } }],
          },
        ],
      },
      'messages.0: ',
    ],
  ] as const)('refuses what it cannot say: %j', (beside, words) => {
    expect(() => converse.writeRequest(asking(beside as Partial<ChatRequest>))).toThrow(words);
  });
});

interface Exchange {
  readonly id: string;
  readonly response: {
    readonly status: number;
    readonly body?: unknown;
    readonly base64?: string;
    readonly events?: readonly { readonly type: string; readonly payload: unknown }[];
  };
}

const load = (kind: string): Exchange[] =>
  recordedExchanges(new RegExp(`^bedrock[.]bedrock[.]${kind}[.]`)) as Exchange[];

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

test.each(['malformed_tool_use', 'malformed_model_output'])(
  'an answer that ended with %s is none',
  (stopReason) => {
    const output = { message: { content: [{ text: 'I look.' }] } };
    const { error } = converse.tapWhole({ output, stopReason, usage: { inputTokens: 1, outputTokens: 2 } });
    expect([error?.reason, error?.code]).toEqual(['malformed_answer', 'upstream_failed']);
    expect(converse.readWhole({ output, stopReason }).at(-1)).toMatchObject({ type: 'error', error });
  },
);

test('an answer that comes whole in place of a stream is read', () => {
  const body = { output: { message: { content: [{ text: 'Yes.' }] } }, stopReason: 'end_turn' };
  expect(converse.tap(writeFrame(JSON.stringify(body)))).toMatchObject({ finish: 'stop', outputBytes: 4 });
});

/** Texts of the fields that hold what is said, wherever they are. */
const matches = (value: unknown, shape: RegExp): string =>
  [...JSON.stringify(value).matchAll(shape)].map(([, text]) => String(JSON.parse(text ?? '""'))).join('');

describe.skipIf(!hasRecordings)('recorded traffic of Converse (needs TOLLGATE_RECORDINGS)', () => {
  test('a stream says what its events say, however it is cut, and the tap agrees', async () => {
    const streams = load('converseStream').filter(({ response }) => response.base64 !== undefined);
    expect(streams.length).toBeGreaterThan(3);
    for (const { id, response } of streams) {
      const bytes = Buffer.from(response.base64 ?? '', 'base64');
      const seen = [];
      for (const size of [bytes.length, 7, 61]) {
        const events: ChatEvent[] = [];
        for await (const event of readStream(converse, readBedrockFrames(cut(bytes, size))))
          events.push(event);
        const taps = [];
        for await (const frame of readBedrockFrames(cut(bytes, size))) taps.push(converse.tap(frame));
        seen.push({ told: fold(events), taps });
      }
      const [first, ...others] = seen;
      for (const other of others) expect({ id, seen: other }).toEqual({ id, seen: first });
      const said = response.events?.filter(({ type }) => type === 'contentBlockDelta');
      const texts = matches(said, /"delta":\{"text":("(?:[^"\\]|\\.)*")/g);
      expect({ id, text: first?.told.choices[0]?.text ?? '' }).toEqual({ id, text: texts });
      expect(first?.told.choices[0]?.finish).toBeDefined();
      expect(first?.told.usage).toBeDefined();
      expect(first?.taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(first?.told.usage);
    }
  });

  test('a whole reply says what its JSON says', () => {
    const wholes = load('converse').filter(({ response }) => response.status === 200);
    expect(wholes.length).toBeGreaterThan(3);
    for (const { id, response } of wholes) {
      const told = fold(converse.readWhole(response.body));
      const counted = told.usage ?? noUsage;
      const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = counted;
      const total = inputTokens + outputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens;
      const { usage } = response.body as { usage: { totalTokens: number } };
      expect({ id, total }).toEqual({ id, total: usage.totalTokens });
      expect(converse.tapWhole(response.body)).toMatchObject({ usage: counted, content: true });
      expect(told.choices[0]?.text).not.toBe('');
      expect(told.choices[0]?.finish).toBeDefined();
    }
  });

  test('a refusal is told in its words', () => {
    const refused = load('converse').filter(({ response }) => response.status >= 400);
    expect(refused.length).toBeGreaterThan(1);
    for (const { response } of refused) {
      const { message } = response.body as { message: string };
      expect(converse.readError(response.status, response.body).upstream?.message).toBe(message);
    }
  });
});
