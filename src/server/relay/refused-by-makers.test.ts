import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { fitRequest } from './fit-request.ts';

/** What callers of one format may say and makers of another refuse: it is never written so. */

type Json = Readonly<Record<string, unknown>>;
const formats = Object.keys(chatDialects) as DialectName[];

const written = (from: DialectName, to: DialectName, body: object, model = 'm'): Json => {
  const read = { ...chatDialects[from].readRequest({ model: 'm', ...body }), model };
  return chatDialects[to].writeRequest(from === to ? read : fitRequest(read, chatDialects[to]));
};

const others = (...from: readonly DialectName[]): [DialectName, DialectName][] =>
  from.flatMap((one) =>
    formats.filter((to) => to !== one).map((to): [DialectName, DialectName] => [one, to]),
  );

const HELLO: Readonly<Record<DialectName, Json>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

/** Every field of a body, at any depth, that is an empty list or a text without a letter. */
const empties = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value) && value.length === 0) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'text' && inner === '' ? [`${path}.${key}`] : empties(inner, `${path}.${key}`),
  );
};

describe('lists and texts of nothing', () => {
  test.each(others(...formats))('of a caller of %s are not sent to %s', (from, to) => {
    const nothing: Readonly<Record<DialectName, Json>> = {
      'openai-chat': {
        tools: [],
        tool_choice: 'none',
        parallel_tool_calls: false,
        stop: [],
        messages: [
          { role: 'system', content: '' },
          { role: 'user', content: [{ type: 'text', text: '' }] },
          { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
          { role: 'assistant', content: '' },
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'text', text: 'go' },
            ],
          },
        ],
      },
      'openai-responses': {
        tools: [],
        tool_choice: 'auto',
        parallel_tool_calls: true,
        instructions: '',
        input: [
          { role: 'user', content: 'hi' },
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'x' },
          },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] },
          { role: 'user', content: [{ type: 'input_text', text: 'go' }] },
        ],
      },
      'anthropic-messages': {
        max_tokens: 10,
        tools: [],
        tool_choice: { type: 'auto' },
        stop_sequences: [],
        system: [{ type: 'text', text: '' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: '' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: '', cache_control: { type: 'ephemeral' } },
              { type: 'text', text: 'hi' },
            ],
          },
          { role: 'assistant', content: [{ type: 'text', text: '' }] },
          { role: 'user', content: 'go' },
        ],
      },
      gemini: {
        tools: [],
        toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
        systemInstruction: { parts: [{ text: '' }] },
        generationConfig: { stopSequences: [] },
        contents: [
          { role: 'user', parts: [{ text: '' }, { text: 'hi' }] },
          { role: 'model', parts: [{ text: '' }] },
          { role: 'user', parts: [{ text: 'go', functionCall: null }] },
        ],
      },
    };
    const sent = written(from, to, nothing[from]);
    expect(empties(sent)).toEqual([]);
    for (const name of [
      'tools',
      'stop',
      'tool_choice',
      'parallel_tool_calls',
      'toolConfig',
      'stop_sequences',
    ])
      expect(sent).not.toHaveProperty(name);
    expect(JSON.stringify(sent)).toContain('go');
  });

  test.each(formats.filter((to) => to !== 'openai-responses'))(
    'a choice among none of the tools reaches %s without tools',
    (to) => {
      const sent = written('openai-responses', to, {
        input: 'hi',
        tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'other' }] },
      });
      expect(sent).not.toHaveProperty('tools');
    },
  );

  test('a prompt of instructions alone is the question where somebody has to ask one', () => {
    const body = { messages: [{ role: 'system', content: 'Say hello.' }] };
    expect(written('openai-chat', 'gemini', body)['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Say hello.' }] },
    ]);
    expect(written('openai-chat', 'anthropic-messages', body)['messages']).toEqual([
      { role: 'user', content: 'Say hello.' },
    ]);
  });

  test('a prompt of nothing is refused by name where an upstream would refuse it', () => {
    const ask = () => written('openai-chat', 'gemini', { messages: [{ role: 'user', content: '' }] });
    expect(ask).toThrow(AppError);
    expect(ask).toThrow("'messages': nothing is said");
  });
});

describe('tools that take text', () => {
  const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files' };
  const turns = [
    { role: 'user', content: 'fix it' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
  ];

  test('are functions at a chat upstream, and so are their earlier calls', () => {
    const sent = written('openai-responses', 'openai-chat', { tools: [patch], input: turns });
    expect(sent['tools']).toMatchObject([{ type: 'function', function: { name: 'apply_patch' } }]);
    expect(sent['messages']).toEqual([
      { role: 'user', content: 'fix it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'apply_patch', arguments: '{"input":"*** Begin Patch"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Done' },
    ]);
  });

  test('stay what they are where a chat caller declares them', () => {
    const tools = [{ type: 'custom', custom: { name: 'apply_patch' } }];
    const call = { id: 'c1', type: 'custom', custom: { name: 'apply_patch', input: 'x' } };
    const messages = [
      { role: 'user', content: 'fix it' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    expect(written('openai-chat', 'openai-chat', { tools, messages })['messages']).toEqual(messages);
  });
});

describe('the schema of an answer', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const chat = (format: Json): Json => ({ ...HELLO['openai-chat'], response_format: format });
  const responses = (format: Json): Json => ({ input: 'hi', text: { format } });

  test.each<[string, DialectName, Json]>([
    ['without a name', 'openai-chat', chat({ type: 'json_schema', json_schema: { schema } })],
    ['without its frame', 'openai-chat', chat({ type: 'json_schema', json_schema: schema })],
    ['beside its type', 'openai-chat', chat({ type: 'json_schema', schema })],
    ['of JSON in general', 'openai-chat', chat({ type: 'json_object', schema })],
    ['without a name', 'openai-responses', responses({ type: 'json_schema', schema })],
    [
      'in the frame of chats',
      'openai-responses',
      responses({ type: 'json_schema', json_schema: { schema } }),
    ],
  ])('%s arrives from %s in every other format', (_, from, body) => {
    for (const to of formats.filter((name) => name !== from)) {
      const sent = JSON.stringify(written(from, to, body, 'claude-sonnet-4-5'));
      expect(sent).toContain('"properties":{"a":{"type":"string"}}');
    }
  });

  test('gets a name that OpenAI takes', () => {
    const named = (to: DialectName, name: string) =>
      written('openai-chat', to, chat({ type: 'json_schema', json_schema: { name, schema } }));
    expect(named('openai-responses', 'My schema!')).toMatchObject({
      text: { format: { name: 'My_schema_' } },
    });
    expect(named('openai-chat', 'x'.repeat(80))).toMatchObject({
      response_format: { json_schema: { name: 'x'.repeat(64) } },
    });
  });
});

describe('how tools are chosen', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };
  const flat = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
  const ofMessages = { name: 'f', input_schema: { type: 'object', properties: {} } };
  const body: Readonly<Partial<Record<DialectName, Json>>> = {
    'openai-chat': { tools: [tool] },
    'openai-responses': { tools: [flat] },
    'anthropic-messages': { tools: [ofMessages] },
  };
  const choices: Readonly<Record<'any' | 'one', Readonly<Record<DialectName, unknown>>>> = {
    any: {
      'openai-chat': 'required',
      'openai-responses': 'required',
      'anthropic-messages': { type: 'any' },
      gemini: { functionCallingConfig: { mode: 'ANY' } },
    },
    one: {
      'openai-chat': { type: 'function', function: { name: 'f' } },
      'openai-responses': { type: 'function', name: 'f' },
      'anthropic-messages': { type: 'tool', name: 'f' },
      gemini: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    },
  };

  test.each<[DialectName, 'any' | 'one', unknown]>([
    ['openai-chat', 'any', 'any'],
    ['openai-chat', 'any', { type: 'any' }],
    ['openai-chat', 'any', { type: 'required' }],
    ['openai-chat', 'one', { type: 'tool', name: 'f' }],
    ['openai-chat', 'one', { type: 'function', name: 'f' }],
    ['openai-responses', 'any', 'any'],
    ['openai-responses', 'one', { type: 'tool', name: 'f' }],
    ['openai-responses', 'one', { type: 'function', function: { name: 'f' } }],
    ['anthropic-messages', 'any', 'required'],
    ['anthropic-messages', 'one', { type: 'function', name: 'f' }],
  ])('%s says %s as %j', (from, meaning, choice) => {
    for (const to of formats.filter((name) => name !== from)) {
      const sent = written(from, to, { ...HELLO[from], ...body[from], tool_choice: choice });
      expect(sent[to === 'gemini' ? 'toolConfig' : 'tool_choice']).toEqual(choices[meaning][to]);
    }
  });

  test('a word nobody knows is refused by name', () => {
    const ask = () =>
      written('openai-chat', 'gemini', { ...HELLO['openai-chat'], tools: [tool], tool_choice: 'some' });
    expect(ask).toThrow("'tool_choice' only exists");
  });
});

describe('files and sounds', () => {
  test('a file without a name gets one where it is asked for', () => {
    const block = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
    };
    const sent = written('anthropic-messages', 'openai-chat', {
      max_tokens: 9,
      messages: [{ role: 'user', content: [block] }],
    });
    expect(sent['messages']).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'file.pdf' },
          },
        ],
      },
    ]);
  });

  test("a sound's address is refused by name where only its bytes are taken", () => {
    const parts = [{ fileData: { mimeType: 'audio/mpeg', fileUri: 'https://a.example/s.mp3' } }];
    for (const to of ['openai-chat', 'openai-responses'] as const)
      expect(() => written('gemini', to, { contents: [{ role: 'user', parts }] })).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'input_audio' }),
      );
  });

  test('a sound by its address stays one among chats', () => {
    const part = { type: 'audio_url', audio_url: { url: 'https://a.example/s.mp3' } };
    const messages = [{ role: 'user', content: [part] }];
    expect(written('openai-chat', 'openai-chat', { messages })['messages']).toEqual(messages);
  });
});

describe("a turn that Google's clients kept as it was streamed", () => {
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ text: 'I th', thought: true }] },
    { role: 'model', parts: [{ text: 'ink', thought: true }, { text: 'Rea' }] },
    { role: 'model', parts: [{ text: 'ding' }] },
    { role: 'model', parts: [{ text: '' }] },
    { role: 'user', parts: [{ text: 'and?' }] },
  ];

  test.each<[DialectName, string, unknown]>([
    ['openai-chat', 'messages', 'Reading'],
    ['openai-responses', 'input', 'Reading'],
    ['anthropic-messages', 'messages', [{ type: 'text', text: 'Reading' }]],
  ])('is one text at %s', (to, field, expected) => {
    const said = (written('gemini', to, { contents })[field] as Json[]).filter(
      ({ role }) => role === 'assistant',
    );
    expect(said.map(({ content }) => content)).toEqual([expected]);
  });

  test('texts of one content stay apart', () => {
    const parts = [{ text: 'one' }, { text: 'two' }];
    const { messages } = written('gemini', 'openai-chat', {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts },
      ],
    });
    expect((messages as Json[])[1]?.['content']).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
  });
});

test.each(['claude-opus-4-1', 'claude-sonnet-4-5', 'claude-sonnet-4-6'])(
  '%s is never told temperature and top_p at once, thinking or not',
  (model) => {
    const config = { temperature: 1, topP: 0.95, topK: 64 };
    for (const thinkingConfig of [undefined, { includeThoughts: true, thinkingBudget: 8192 }]) {
      const sent = written(
        'gemini',
        'anthropic-messages',
        { ...HELLO.gemini, generationConfig: { ...config, maxOutputTokens: 20_000, thinkingConfig } },
        model,
      );
      expect(sent).toHaveProperty('temperature', 1);
      expect(sent).not.toHaveProperty('top_p');
      if (thinkingConfig !== undefined) expect(sent).toHaveProperty('thinking');
    }
  },
);
