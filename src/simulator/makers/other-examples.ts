import type { Example, Fields } from './good-requests.ts';

const schema = { type: 'object', properties: { $ref: { type: 'string' } } };
const user = { role: 'user', content: 'hi' };
const answer = (content: unknown): Fields => ({ role: 'assistant', content });
const messageWith = (role: string, ...content: readonly object[]): Fields => ({
  messages: [{ role, content }],
});
const contents = (...parts: readonly object[]): Fields => ({ contents: [{ role: 'user', parts }] });
const declared = (of: object): Fields => ({ tools: [{ functionDeclarations: [of] }] });
const use = (of: object = {}): Fields => ({ type: 'tool_use', id: 't', name: 'look', input: {}, ...of });
const result = { type: 'tool_result', tool_use_id: 't' };
const loop = (...content: readonly object[]): Fields => ({
  messages: [answer(content), { role: 'user', content: [result] }],
});
const tool = (of: object): Fields => ({ tools: [{ name: 'a', input_schema: schema, ...of }] });
const closed = (properties: Fields): Fields => ({ type: 'object', properties, additionalProperties: false });
const strictTools = (count: number): Fields => ({
  tools: Array.from({ length: count }, (_, at) => ({
    name: `a${String(at)}`,
    strict: true,
    input_schema: closed({}),
  })),
});
const picture = (media_type: string): Fields => ({
  type: 'image',
  source: { type: 'base64', media_type, data: 'AA' },
});
const THOUGHT: Fields = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
const marks = (count: number): Fields =>
  messageWith(
    'user',
    ...Array.from({ length: count }, () => ({ type: 'text', text: 'a', cache_control: {} })),
  );
const thinking = (budget_tokens: number): Fields => ({ thinking: { type: 'enabled', budget_tokens } });
const functionCall = { functionCall: { name: 'look', args: {} } };
const functionResponse = { functionResponse: { name: 'look', response: {} } };
const turns = (...all: readonly (readonly [string, ...object[]])[]): Fields => ({
  contents: all.map(([role, ...parts]) => ({ role, parts })),
});
const stops = (count: number): string[] => Array.from({ length: count }, (_, at) => `stop ${String(at)}`);

/** What Anthropic and Google refuse and take. */
export const otherExamples: Readonly<Record<string, readonly Example[]>> = {
  'anthropic-messages': [
    ['an unknown field', 'Extra inputs', { stop: ['a'] }, { stop_sequences: ['a'] }],
    [
      'a picture of a media type it does not know',
      'media_type: Input should be',
      messageWith('user', picture('image/jpg')),
      messageWith('user', picture('image/jpeg')),
    ],
    [
      'a picture in the instructions',
      "Input should be 'text'",
      { system: [picture('image/png')] },
      { system: [{ type: 'text', text: 'a' }] },
    ],
    ['no limit of tokens', 'max_tokens', { max_tokens: undefined }, { max_tokens: 1025 }],
    [
      'a message of the system at a model that is too old for it',
      "role 'system' is not supported on this model",
      { messages: [user, { role: 'system', content: 'a' }] },
      { model: 'claude-opus-4-8', messages: [user, { role: 'system', content: 'a' }] },
    ],
    [
      'a message of the system before all others',
      'must follow a user message',
      { model: 'claude-opus-4-8', messages: [{ role: 'system', content: 'a' }, user] },
      { model: 'claude-opus-4-8', messages: [user, { role: 'system', content: 'a' }] },
    ],
    [
      'a message of a developer',
      'role',
      { messages: [{ role: 'developer', content: 'a' }] },
      { messages: [user] },
    ],
    [
      'an empty text',
      'non-empty',
      messageWith('user', { type: 'text', text: '' }),
      messageWith('user', { type: 'text', text: 'a' }),
    ],
    [
      'a text of blanks alone',
      'non-whitespace',
      messageWith('user', { type: 'text', text: ' \n\t' }),
      messageWith('user', { type: 'text', text: ' a ' }),
    ],
    [
      'an unknown field of a block',
      'Extra inputs',
      messageWith('user', { type: 'text', text: 'a', name: 'b' }),
      messageWith('user', { type: 'text', text: 'a', cache_control: null }),
    ],
    ['an odd id', 'tool_use.id', loop(THOUGHT, use({ id: 'a.b' })), loop(THOUGHT, use())],
    ['arguments that are no object', 'dictionary', loop(THOUGHT, use({ input: 'a' })), loop(THOUGHT, use())],
    [
      'a result without a call',
      'tool_use_id',
      messageWith('user', { type: 'tool_result', tool_use_id: 'x' }),
      loop(THOUGHT, use()),
    ],
    [
      'words before a result',
      'must come first',
      { messages: [answer([THOUGHT, use()]), user, { role: 'user', content: [result] }] },
      { messages: [answer([THOUGHT, use()]), { role: 'user', content: [result] }, user] },
    ],
    [
      'the result of a call that no thread holds',
      'tool_use_id',
      messageWith('user', result),
      {
        thread: { type: 'continue', previous_message_id: 'msg_1' },
        thinking: undefined,
        ...messageWith('user', result),
      },
    ],
    ['two calls by one id', 'must be unique', loop(THOUGHT, use(), use()), loop(THOUGHT, use())],
    [
      'two tools of one name',
      'must be unique',
      {
        tools: [
          { name: 'a', input_schema: schema },
          { name: 'a', input_schema: schema },
        ],
      },
      {
        tools: [
          { name: 'a', input_schema: schema },
          { name: 'b', input_schema: schema },
        ],
      },
    ],
    [
      'a name of 129 letters',
      'String should match',
      tool({ name: 'a'.repeat(129) }),
      tool({ name: 'a'.repeat(128) }),
    ],
    [
      'a schema without a type',
      'type',
      tool({ input_schema: {} }),
      tool({ input_schema: { type: 'object' } }),
    ],
    [
      'a choice at the top of a schema',
      'at the top level',
      tool({ input_schema: { type: 'object', anyOf: [] } }),
      tool({ input_schema: { type: 'object', properties: { a: { anyOf: [] } } } }),
    ],
    [
      'limits in a strict schema',
      'properties maximum, minimum are not supported',
      tool({ strict: true, input_schema: closed({ a: { type: 'integer', maximum: 2, minimum: 1 } }) }),
      tool({ input_schema: closed({ a: { type: 'integer', maximum: 2, minimum: 1 } }) }),
    ],
    [
      'a strict schema that is open',
      'explicitly set to false',
      tool({ strict: true, input_schema: { type: 'object' } }),
      tool({ strict: true, input_schema: closed({ minimum: { type: 'string' } }) }),
    ],
    ['too many strict tools', 'too complex', strictTools(21), strictTools(20)],
    [
      'an answer begun for a model that goes on from none',
      'prefill',
      { model: 'claude-opus-4-6', messages: [user, answer('a')] },
      { model: 'claude-opus-4-5', messages: [user, answer('a')] },
    ],
    [
      'white space at the end',
      'trailing whitespace',
      { messages: [user, answer('a ')] },
      { messages: [user, answer('a')] },
    ],
    [
      'a choice among no tools',
      'tool_choice',
      { tools: [], tool_choice: { type: 'auto' } },
      { tool_choice: { type: 'auto' } },
    ],
    ['both temperature and top_p', 'both', { temperature: 1, top_p: 0.95 }, { temperature: 1 }],
    [
      'a temperature above 1',
      '0..1',
      { thinking: { type: 'disabled' }, temperature: 1.1 },
      { thinking: { type: 'disabled' }, temperature: 0.1 },
    ],
    ['a small budget', '1024', thinking(1000), thinking(1024)],
    ['a budget above the limit', 'must be greater', thinking(2000), thinking(1999)],
    [
      'a tool that must be called by one who thinks',
      'forces tool use',
      { tool_choice: { type: 'any' } },
      { tool_choice: { type: 'auto' } },
    ],
    ['calls without the thought before them', 'found `tool_use`', loop(use()), loop(THOUGHT, use())],
    ['five marks of the cache', 'maximum of 4', marks(5), marks(4)],
    ['a blank stop', 'non-whitespace', { stop_sequences: [' '] }, { stop_sequences: [' a '] }],
  ],
  gemini: [
    [
      'a picture of a media type it does not know',
      'Unsupported MIME type',
      contents({ inlineData: { data: 'AA', mimeType: 'image/jpg' } }),
      contents({ inlineData: { data: 'AA', mimeType: 'image/jpeg' } }),
    ],
    [
      'a picture in the instructions',
      'only text is supported',
      { systemInstruction: { parts: [{ inlineData: { data: 'AA', mimeType: 'image/png' } }] } },
      { systemInstruction: { parts: [{ text: 'a' }] } },
    ],
    ['an unknown field', 'Unknown name "stop"', { stop: ['a'] }, { labels: {} }],
    ['nothing messageWith', 'not specified', { contents: [] }, contents({ text: 'a' })],
    ['a message of no parts', 'must not be empty', contents(), contents({ text: 'a' })],
    [
      'an empty text',
      'required oneof',
      contents({ text: '' }),
      contents({ text: '', thoughtSignature: 'c2ln' }),
    ],
    [
      'a message of the system',
      'valid role',
      turns(['system', { text: 'a' }]),
      turns(['user', { text: 'a' }]),
    ],
    [
      'data of no type',
      'mimeType',
      contents({ inlineData: { data: 'AA' } }),
      contents({ inlineData: { data: 'AA', mimeType: 'image/png' } }),
    ],
    [
      'a name that begins with a digit',
      'function name',
      declared({ name: '1a' }),
      declared({ name: 'a.b:1' }),
    ],
    [
      'a word no schema has here',
      '"$ref"',
      declared({ name: 'a', parameters: { $ref: '#' } }),
      declared({ name: 'a', parametersJsonSchema: { $ref: '#' } }),
    ],
    [
      'a result without a call',
      'function call turn',
      contents(functionResponse),
      turns(['user', { text: 'a' }], ['model', functionCall], ['user', functionResponse]),
    ],
    [
      'a call nobody asked for',
      'after a user turn',
      turns(['model', functionCall], ['user', functionResponse]),
      turns(
        ['user', { text: 'a' }],
        ['model', { text: 'b' }],
        ['model', functionCall],
        ['user', functionResponse],
      ),
    ],
    [
      'a call without a signature',
      'thought_signature',
      { model: 'gemini-3-pro-preview' },
      { model: 'gemini-2.5-pro' },
    ],
    [
      'a list of arguments',
      'Proto field',
      turns(
        ['user', { text: 'a' }],
        ['model', { functionCall: { name: 'a', args: [] } }],
        ['user', functionResponse],
      ),
      turns(['user', { text: 'a' }], ['model', functionCall], ['user', functionResponse]),
    ],
    [
      'six stops',
      'at most 5',
      { generationConfig: { stopSequences: stops(6) } },
      { generationConfig: { stopSequences: stops(5) } },
    ],
    [
      'a call of no function',
      'without function_declarations',
      { tools: [], toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    ],
  ],
};
