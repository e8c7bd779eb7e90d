import { describe, expect, test } from 'vitest';
import type { ChatRequest, ContentPart, Message } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { fitSchema } from './fit-schema.ts';
import { writeRequest } from './write-request.ts';

const text = (words: string): ContentPart => ({ type: 'text', text: words });
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const asking = (beside: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'claude-sonnet-4-5',
  stream: false,
  messages: [user(text('hi'))],
  maxOutputTokens: 10_000,
  extras: {},
  ...beside,
});
const refusalOf = (beside: Partial<ChatRequest>): AppError => {
  try {
    writeRequest(asking(beside));
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('it was written');
};

describe('messages of other formats', () => {
  test('instructions go first, wherever they stood; alone they are the question', () => {
    const system: Message = { role: 'system', content: [text('a')] };
    const developer: Message = { role: 'developer', content: [text('b')] };
    expect(writeRequest(asking({ messages: [system, user(text('hi')), developer] }))).toMatchObject({
      system: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      messages: [{ role: 'user', content: 'hi' }],
    });
    const alone = writeRequest(asking({ messages: [system] }));
    expect(alone).toMatchObject({ messages: [{ role: 'user', content: 'a' }] });
    expect(alone['system']).toBeUndefined();
  });

  test('results of one turn are one message with what comes next; odd ids match, odd arguments survive', () => {
    const call = (id: string, argumentsText: string): ContentPart => ({
      type: 'tool-call',
      id,
      name: 'f',
      argumentsText,
    });
    const result = (callId: string): Message => ({
      role: 'tool',
      content: [{ type: 'tool-result', callId, content: [text('done')] }],
    });
    const messages: Message[] = [
      user(text('go')),
      { role: 'assistant', content: [text(''), call('a:1', '{"x":1}'), call('b', '{"x":')] },
      result('a:1'),
      result('b'),
      user(text('and?')),
    ];
    expect(writeRequest(asking({ messages }))['messages']).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_a_1', name: 'f', input: { x: 1 } },
          { type: 'tool_use', id: 'b', name: 'f', input: { raw_arguments: '{"x":' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a_1', content: 'done' },
          { type: 'tool_result', tool_use_id: 'b', content: 'done' },
          { type: 'text', text: 'and?' },
        ],
      },
    ]);
  });

  test('thoughts and citations of other upstreams are left out, its own go back byte for byte', () => {
    const own = {
      type: 'reasoning',
      text: 't',
      signature: 'EqQ+/=',
      signatureFrom: 'anthropic-messages',
    } as const;
    const foreign = { type: 'reasoning', text: 't', signature: 's', signatureFrom: 'gemini' } as const;
    const plain = { type: 'reasoning', text: 'only text' } as const;
    const cited = {
      ...text('c'),
      extras: { 'anthropic-messages': { citations: [{ encrypted_index: 'from.openai-chat.' }] } },
    };
    const messages: Message[] = [{ role: 'assistant', content: [own, foreign, plain, cited] }];
    expect(writeRequest(asking({ messages }))['messages']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 'EqQ+/=' },
          { type: 'text', text: 'c' },
        ],
      },
    ]);
  });
});

describe('what the format cannot say is refused by name', () => {
  const held = { ...text(''), extras: { 'openai-chat': { type: 'video_url' } } };
  test.each<[string, Partial<ChatRequest>, string]>([
    ['more than one answer', { choices: 2 }, 'n'],
    [
      'sound',
      {
        messages: [user({ type: 'audio', media: { from: 'base64', data: 'AAAA', mediaType: 'audio/wav' } })],
      },
      'messages.0',
    ],
    [
      'a file that is no PDF and no text',
      { messages: [user({ type: 'file', media: { from: 'base64', data: 'AAAA', mediaType: 'video/mp4' } })] },
      'messages.0',
    ],
    ['a part of another format', { messages: [user(text('x')), user(held)] }, 'messages.1'],
    ['a tool of another format', { tools: [{ name: 'w', extras: { gemini: { type: 'tool' } } }] }, 'tools.0'],
    [
      'a field that only works elsewhere',
      { onlyIn: [{ dialects: ['openai-responses' as const], param: 'store', message: 'no' }] },
      'store',
    ],
  ])('%s', (_, beside, param) => {
    expect(refusalOf(beside)).toMatchObject({ code: 'invalid_request', param });
  });
});

describe('thinking', () => {
  const thinkingOf = (model: string, beside: Partial<ChatRequest>) => {
    const { thinking, output_config, temperature } = writeRequest(asking({ model, ...beside }));
    return { thinking, output_config, temperature };
  };

  test('an effort is a budget for older models and a word for those that decide themselves', () => {
    const reasoning = { effort: 'high' } as const;
    expect(thinkingOf('claude-sonnet-4-5', { reasoning, maxOutputTokens: 32_000 }).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 16_384,
    });
    expect(thinkingOf('claude-sonnet-4-6', { reasoning })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    expect(thinkingOf('claude-opus-4-6', { reasoning: { effort: 'xhigh' } }).output_config).toEqual({
      effort: 'high',
    });
    expect(thinkingOf('claude-3-5-haiku-20241022', { reasoning }).thinking).toBeUndefined();
  });

  test('a budget is an effort for models that take none', () => {
    expect(thinkingOf('claude-opus-4-7', { reasoning: { budgetTokens: 4000 } })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    });
  });

  test('leaves room for the answer, and the knobs it forbids away', () => {
    const reasoning = { effort: 'high' } as const;
    expect(thinkingOf('claude-sonnet-4-5', { reasoning, maxOutputTokens: 5000, temperature: 0.2 })).toEqual({
      thinking: { type: 'enabled', budget_tokens: 4999 },
      output_config: undefined,
      temperature: undefined,
    });
    expect(thinkingOf('claude-sonnet-4-5', { reasoning, maxOutputTokens: 500 }).thinking).toBeUndefined();
  });

  test('is left out where the format forbids it: a forced tool, a tool loop that another upstream began', () => {
    const reasoning = { effort: 'low' } as const;
    const tools = [{ name: 'f' }];
    expect(
      thinkingOf('claude-sonnet-4-5', { reasoning, tools, toolChoice: 'required' }).thinking,
    ).toBeUndefined();
    const messages: Message[] = [
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'f', argumentsText: '{}' }] },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'a', content: [] }] },
    ];
    expect(thinkingOf('claude-sonnet-4-5', { reasoning, tools, messages }).thinking).toBeUndefined();
    expect(thinkingOf('claude-sonnet-4-6', { reasoning, tools, messages }).thinking).toEqual({
      type: 'adaptive',
    });
  });
});

describe('a tool that has to be called', () => {
  const tools = [{ name: 'f' }, { name: 'g' }];
  const written = (model: string, beside: Partial<ChatRequest> = {}) =>
    writeRequest(asking({ model, tools, toolChoice: { name: 'g' }, ...beside }));

  test('is not thought about by models that else would think', () => {
    const newest = written('claude-opus-5', { reasoning: { effort: 'max' } });
    expect(newest).toMatchObject({
      tool_choice: { type: 'tool', name: 'g' },
      thinking: { type: 'disabled' },
      output_config: { effort: 'high' },
    });
    expect(written('claude-sonnet-5')['thinking']).toEqual({ type: 'disabled' });
    expect(written('claude-opus-4-8')['thinking']).toBeUndefined();
    expect(written('claude-fable-5')).toMatchObject({ tool_choice: { type: 'tool', name: 'g' } });
  });

  test.each(['claude-opus-5-5', 'us.anthropic.claude-sonnet-5-5', 'claude-fable-5-1', 'claude-mythos-5-2'])(
    'is asked for in words of %s, which refuses the choice, and thinks as it was asked to',
    (model) => {
      const named = written(model, { reasoning: { effort: 'low' }, parallelToolCalls: false });
      expect(named).toMatchObject({
        system: "Answer by calling the tool 'g'.",
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
      });
      expect(written(model, { toolChoice: 'required' })).toMatchObject({
        system: 'Answer by calling at least one of the tools.',
        tool_choice: { type: 'auto' },
      });
      expect(written(model, { toolChoice: 'auto' })['system']).toBeUndefined();
    },
  );
});

describe('other knobs', () => {
  test('temperature ends at 1; newer models take one knob, the newest none', () => {
    const sampling = { temperature: 1.7, topP: 0.5, topK: 3 };
    expect(writeRequest(asking({ model: 'claude-3-opus', ...sampling }))).toMatchObject({
      temperature: 1,
      top_p: 0.5,
      top_k: 3,
    });
    expect(writeRequest(asking(sampling))['top_p']).toBeUndefined();
    const newest = writeRequest(asking({ model: 'claude-opus-4-7', ...sampling }));
    expect(newest['temperature']).toBeUndefined();
  });

  test('JSON is asked for in words where there is no other way, else by schema', () => {
    const json = writeRequest(asking({ responseFormat: { type: 'json' } }));
    expect(json['system']).toContain('JSON');
    const responseFormat = {
      type: 'json-schema',
      name: 'n',
      schema: { type: 'object', properties: {} },
    } as const;
    expect(writeRequest(asking({ responseFormat }))['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: { type: 'object', properties: {}, additionalProperties: false },
      },
    });
    const old = writeRequest(asking({ model: 'claude-3-opus', responseFormat }));
    expect([old['output_config'], String(old['system']).includes('"properties"')]).toEqual([undefined, true]);
  });

  test('limits a schema cannot hold are put in its description, and names of properties are no limits', () => {
    const schema = {
      type: 'object',
      properties: { minimum: { type: 'integer', minimum: 3, description: 'd' } },
      required: ['minimum'],
    };
    expect(fitSchema(schema)).toEqual({
      type: 'object',
      properties: { minimum: { type: 'integer', description: 'd (minimum: 3)' } },
      required: ['minimum'],
      additionalProperties: false,
    });
  });
});
