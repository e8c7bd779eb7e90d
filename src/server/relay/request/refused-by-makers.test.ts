import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { fitRequest } from './fit-request.ts';

/** What callers of one format may send and makers of another refuse: we never send it. */

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

/** Every field of a body, at any depth, that is an empty list or a blank text. */
const empties = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value) && value.length === 0) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'text' && inner === '' ? [`${path}.${key}`] : empties(inner, `${path}.${key}`),
  );
};

/** Every text of a Messages body: `text` fields, and contents that are one. */
const textsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
        (key === 'text' || key === 'content') && typeof inner === 'string' ? [inner] : textsIn(inner),
      );

describe('empty lists and texts', () => {
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

  test('a prompt of instructions alone becomes the user message if one is required', () => {
    const body = { messages: [{ role: 'system', content: 'Say hello.' }] };
    expect(written('openai-chat', 'gemini', body)['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Say hello.' }] },
    ]);
    expect(written('openai-chat', 'anthropic-messages', body)['messages']).toEqual([
      { role: 'user', content: 'Say hello.' },
    ]);
  });

  test.each(formats.filter((from) => from !== 'anthropic-messages'))(
    'texts of blanks alone, of a caller of %s, do not reach Anthropic, and all else does',
    (from) => {
      const blank = ' \n\t\u00a0';
      const said: Readonly<Partial<Record<DialectName, Json>>> = {
        'openai-chat': {
          messages: [
            { role: 'system', content: blank },
            {
              role: 'user',
              content: [
                { type: 'text', text: blank },
                { type: 'text', text: ' hi ' },
              ],
            },
            { role: 'assistant', content: blank },
            { role: 'user', content: blank },
            {
              role: 'assistant',
              content: blank,
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: 'c1', content: '\n' },
            { role: 'user', content: ' go' },
          ],
        },
        'openai-responses': {
          instructions: blank,
          input: [
            {
              role: 'user',
              content: [
                { type: 'input_text', text: blank },
                { type: 'input_text', text: ' hi ' },
              ],
            },
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: blank }] },
            { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
            { type: 'function_call_output', call_id: 'c1', output: '\n' },
            { role: 'user', content: ' go' },
          ],
        },
        gemini: {
          systemInstruction: { parts: [{ text: blank }] },
          contents: [
            { role: 'user', parts: [{ text: blank }, { text: ' hi ' }] },
            { role: 'model', parts: [{ text: blank }] },
            { role: 'user', parts: [{ text: ' go' }] },
          ],
        },
      };
      const body = said[from];
      if (body === undefined) throw new Error(from);
      const sent = written(from, 'anthropic-messages', body);
      expect(sent).not.toHaveProperty('system');
      const texts = textsIn(sent);
      expect(texts.filter((text) => text.trim() === '')).toEqual([]);
      expect(texts).toEqual([' hi ', ' go']);
    },
  );

  test('a prompt of blanks alone is refused by name before Anthropic would refuse it, and goes to others', () => {
    const body = { messages: [{ role: 'user', content: ' \n' }] };
    expect(() => written('openai-chat', 'anthropic-messages', body)).toThrow(
      "'messages': the prompt is empty",
    );
    expect(written('openai-chat', 'gemini', body)['contents']).toEqual([
      { role: 'user', parts: [{ text: ' \n' }] },
    ]);
  });

  test('an empty prompt is refused by name if the upstream would refuse it', () => {
    const ask = () => written('openai-chat', 'gemini', { messages: [{ role: 'user', content: '' }] });
    expect(ask).toThrow(AppError);
    expect(ask).toThrow("'messages': the prompt is empty");
  });
});

describe('Gemini 4 is sent', () => {
  const penalties = { presence_penalty: 0.5, frequency_penalty: 0.5 };
  test.each<[string, DialectName, object, object]>([
    [
      'a level for a budget',
      'anthropic-messages',
      { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 4000 } },
      { thinkingConfig: { thinkingLevel: 'medium', includeThoughts: true } },
    ],
    [
      'the least level to think no more',
      'anthropic-messages',
      { max_tokens: 9000, thinking: { type: 'disabled' } },
      { thinkingConfig: { thinkingLevel: 'low' } },
    ],
    [
      'its own least level',
      'openai-chat',
      { reasoning_effort: 'minimal' },
      { thinkingConfig: { thinkingLevel: 'low', includeThoughts: true } },
    ],
    [
      'its highest level',
      'openai-chat',
      { reasoning_effort: 'max' },
      { thinkingConfig: { thinkingLevel: 'xhigh', includeThoughts: true } },
    ],
    ['no penalties', 'openai-chat', { ...penalties, seed: 1 }, { seed: 1 }],
  ])('%s', (_, from, asked, config) => {
    const sent = written(
      from,
      'gemini',
      { messages: [{ role: 'user', content: 'hi' }], ...asked },
      'gemini-4-neon',
    );
    const { maxOutputTokens: __, ...generationConfig } = sent['generationConfig'] as Json;
    expect(generationConfig).toEqual(config);
  });

  test('and reads from it the level that only some models have', () => {
    const generationConfig = { thinkingConfig: { thinkingLevel: 'XHIGH' } };
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig };
    expect(written('gemini', 'openai-chat', body)).toHaveProperty('reasoning_effort', 'xhigh');
  });
});
