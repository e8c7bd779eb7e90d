import { describe, expect, test } from 'vitest';
import { refusedByMaker } from './refused-by-maker.ts';

/** What a maker would refuse is refused here; what it takes is taken. */

type Fields = Readonly<Record<string, unknown>>;

const schema = { type: 'object', properties: { $ref: { type: 'string' } } };

const good: Readonly<Record<string, Fields>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'found' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
    tool_choice: 'auto',
  },
  'openai-responses': {
    model: 'm',
    input: [
      { role: 'user', content: 'hi' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'found' },
    ],
    tools: [{ type: 'function', name: 'look', parameters: schema }],
    max_output_tokens: 16,
  },
  'anthropic-messages': {
    model: 'claude-sonnet-4-5',
    max_tokens: 2000,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' }] },
    ],
    tools: [{ name: 'look', input_schema: schema }],
    thinking: { type: 'enabled', budget_tokens: 1024 },
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'look', parameters: schema }] }],
    generation_config: { stop_sequences: ['a'] },
  },
};

const user = { role: 'user', content: 'hi' };
const longName = 'a'.repeat(65);
const chatTool = (name: string): Fields => ({ tools: [{ type: 'function', function: { name } }] });
const filePart = { type: 'file', file: { file_data: 'data:application/pdf;base64,AA' } };
const contents = (...parts: readonly object[]): Fields => ({ contents: [{ role: 'user', parts }] });
const declared = (of: object): Fields => ({ tools: [{ functionDeclarations: [of] }] });
const blocks = (role: string, ...content: readonly object[]): Fields => ({ messages: [{ role, content }] });

const bad: readonly (readonly [format: string, what: string, words: string, fields: Fields])[] = [
  ['openai-chat', 'an unknown field', 'Unrecognized request argument', { top_k: 4 }],
  ['openai-chat', 'an empty list of tools', "too short - 'tools'", { tools: [] }],
  ['openai-chat', 'a dot in a name', 'function.name', chatTool('a.b')],
  ['openai-chat', 'a name of 65 letters', 'function.name', chatTool(longName)],
  ['openai-chat', 'five stops', "'stop'", { stop: ['a', 'b', 'c', 'd', 'e'] }],
  ['openai-chat', 'stream options of no stream', 'stream_options', { stream_options: {} }],
  ['openai-chat', 'a choice among no tools', 'tool_choice', { tools: undefined }],
  ['openai-chat', 'a list of no parts', 'empty array', { messages: [{ role: 'user', content: [] }] }],
  ['openai-chat', 'a file without a name', 'filename', blocks('user', filePart)],
  ['openai-chat', 'a file of the system', "'file'", blocks('system', filePart)],
  [
    'openai-chat',
    'a result without a call',
    'preceding message',
    { messages: [user, { role: 'tool', tool_call_id: 'x', content: 'y' }] },
  ],
  ['openai-responses', 'an unknown field', 'Unknown parameter', { stop: ['a'] }],
  ['openai-responses', 'a dot in a name', "'tools[0].name'", { tools: [{ type: 'function', name: 'a.b' }] }],
  ['openai-responses', 'fewer tokens than 16', '>= 16', { max_output_tokens: 15 }],
  [
    'openai-responses',
    'a result without a call',
    'No tool call found',
    { input: [{ type: 'function_call_output', call_id: 'x', output: '' }] },
  ],
  [
    'openai-responses',
    'a foreign id',
    "begins with 'rs'",
    { input: [{ type: 'reasoning', id: 'thought_1', summary: [] }] },
  ],
  ['anthropic-messages', 'an unknown field', 'Extra inputs', { stop: ['a'] }],
  ['anthropic-messages', 'no limit of tokens', 'max_tokens', { max_tokens: undefined }],
  ['anthropic-messages', 'an empty text', 'non-empty', blocks('user', { type: 'text', text: '' })],
  ['anthropic-messages', 'a message of the system', 'role', { messages: [{ role: 'system', content: 'a' }] }],
  ['anthropic-messages', 'both temperature and top_p', 'both', { temperature: 1, top_p: 0.5 }],
  ['anthropic-messages', 'a blank stop', 'non-whitespace', { stop_sequences: [' '] }],
  ['anthropic-messages', 'a small budget', '1024', { thinking: { type: 'enabled', budget_tokens: 1000 } }],
  ['anthropic-messages', 'a schema without a type', 'type', { tools: [{ name: 'a', input_schema: {} }] }],
  [
    'anthropic-messages',
    'a result without a call',
    'tool_use_id',
    blocks('user', { type: 'tool_result', tool_use_id: 'x' }),
  ],
  ['gemini', 'an unknown field', 'Unknown name "stop"', { stop: ['a'] }],
  ['gemini', 'nothing said', 'not specified', { contents: [] }],
  ['gemini', 'a message of no parts', 'must not be empty', contents()],
  ['gemini', 'an empty text', 'required oneof', contents({ text: '' })],
  ['gemini', 'data of no type', 'mimeType', contents({ inlineData: { data: 'AA' } })],
  ['gemini', 'a name that begins with a digit', 'function name', declared({ name: '1a' })],
  ['gemini', 'a word no schema has here', '"$ref"', declared({ name: 'a', parameters: { $ref: '#' } })],
  ['gemini', 'a result without a call', 'function call turn', contents({ functionResponse: { name: 'a' } })],
  [
    'gemini',
    'six stops',
    'at most 5',
    { generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] } },
  ],
];

describe('the rules of the makers', () => {
  test.each(Object.keys(good))('take a good request of %s', (format) => {
    expect(refusedByMaker(format, good[format] ?? {})).toBeUndefined();
  });

  test.each(bad)('at %s refuse %s', (format, _, words, fields) => {
    const body = Object.entries({ ...good[format], ...fields }).filter(([, value]) => value !== undefined);
    expect(refusedByMaker(format, Object.fromEntries(body))).toContain(words);
  });
});
