import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { fitRequest } from './fit-request.ts';

/** What callers of one format may send and makers of another refuse: we never send it. */

type Json = Readonly<Record<string, unknown>>;
const formats = Object.keys(chatDialects) as DialectName[];

const written = (from: DialectName, to: DialectName, body: object, model = 'm'): Json => {
  const read = { ...chatDialects[from].readRequest({ model: 'm', ...body }), model };
  return chatDialects[to].writeRequest(from === to ? read : fitRequest(read, chatDialects[to]));
};

const HELLO: Readonly<Record<DialectName, Json>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

describe('tools that take text', () => {
  const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files' };
  const turns = [
    { role: 'user', content: 'fix it' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
  ];

  test('become functions for a chat upstream, and so do their earlier calls', () => {
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

  test('stay custom tools if a chat caller declares them', () => {
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

  test('gets a name that OpenAI accepts', () => {
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

  test('an unknown value is refused by name', () => {
    const ask = () =>
      written('openai-chat', 'gemini', { ...HELLO['openai-chat'], tools: [tool], tool_choice: 'some' });
    expect(ask).toThrow("'tool_choice' only exists");
  });
});

describe('files and sounds', () => {
  test('a file without a name gets one if the upstream requires it', () => {
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

  test('audio by URL stays audio between chat formats', () => {
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

  test('several texts in one content stay separate', () => {
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
      expect('thinking' in sent).toBe(thinkingConfig !== undefined);
    }
  },
);

test.each<[DialectName, Json]>([
  ['openai-responses', { max_output_tokens: 70 }],
  ['anthropic-messages', { max_tokens: 70 }],
  ['gemini', { generationConfig: { maxOutputTokens: 70 } }],
])('the length that a caller allows is told to %s; a length of 0 is not', (to, expected) => {
  const sent = (most: number) =>
    written('openai-chat', to, { ...HELLO['openai-chat'], max_completion_tokens: most });
  expect(sent(70)).toMatchObject(expected);
  expect(sent(0)).not.toMatchObject(expected);
  expect(JSON.stringify(sent(0))).not.toMatch(/tokens":0/i);
});

describe('what a user says in a way that only one format has is refused, not left out', () => {
  const asked: Readonly<Record<DialectName, Json>> = {
    'openai-chat': {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'hologram', hologram: {} },
          ],
        },
      ],
    },
    'openai-responses': {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'q' }, { type: 'hologram' }] }],
    },
    'anthropic-messages': {
      max_tokens: 10,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'container_upload', file_id: 'f' },
          ],
        },
      ],
    },
    gemini: { contents: [{ role: 'user', parts: [{ text: 'q' }, { hologram: {} }] }] },
  };
  const pairs = formats.flatMap((from) =>
    formats.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  test.each(pairs)('%s to %s', (from, to) => {
    expect(() => written(from, to, asked[from])).toThrow(
      /'messages.0' holds a part of type '\w+', which only/,
    );
  });

  test('of an earlier answer it is left out', () => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'hologram' }] },
      { role: 'user', content: 'more' },
    ];
    expect(
      JSON.stringify(written('anthropic-messages', 'openai-chat', { max_tokens: 10, messages })),
    ).not.toContain('hologram');
  });
});
