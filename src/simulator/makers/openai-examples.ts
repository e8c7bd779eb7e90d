import type { Example, Fields } from './good-requests.ts';

const user = { role: 'user', content: 'hi' };
const answer = (content: unknown): Fields => ({ role: 'assistant', content });
const longName = 'a'.repeat(65);
const chatTool = (name: string): Fields => ({ tools: [{ type: 'function', function: { name } }] });
const taking = (parameters: object): Fields => ({
  tools: [{ type: 'function', function: { name: 'look', parameters } }],
});
/** The parameters of a function that takes nothing else. */
const closed = (properties: Fields, required: readonly string[]): Fields => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const strictly = (parameters: Fields, strict = true): Fields => ({
  tools: [{ type: 'function', name: 'look', strict, parameters }],
});
const lists = (list: object): object => ({ type: 'object', properties: { items: list } });
const file = (of: object): Fields => ({
  type: 'file',
  file: { file_data: 'data:application/pdf;base64,AA', ...of },
});
const messageWith = (role: string, ...content: readonly object[]): Fields => ({
  messages: [{ role, content }],
});
const calling = (id: string, of: object): Fields => ({
  messages: [
    {
      role: 'assistant',
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '', ...of } }],
    },
    { role: 'tool', tool_call_id: id, content: '' },
  ],
});
const format = (of: object): Fields => ({ response_format: { type: 'json_schema', json_schema: of } });
const input = (...items: readonly object[]): Fields => ({ input: items });
const call = (of: object): Fields => ({
  type: 'function_call',
  call_id: 'c',
  name: 'look',
  arguments: '',
  ...of,
});
const output = { type: 'function_call_output', call_id: 'c', output: '' };
const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
const stops = (count: number): string[] => Array.from({ length: count }, (_, at) => `stop ${String(at)}`);

/** What OpenAI refuses and takes. */
export const openaiExamples: Readonly<Record<string, readonly Example[]>> = {
  'openai-chat': [
    ['an unknown field', 'Unrecognized request argument', { top_k: 4 }, { top_p: 0.4 }],
    [
      'a thought sent to an old model',
      "'reasoning_content' was unexpected",
      { model: 'gpt-4-turbo', messages: [user, { ...answer('a'), reasoning_content: 'hm' }] },
      { model: 'gpt-4o', messages: [user, { ...answer('a'), reasoning_content: 'hm' }] },
    ],
    [
      'a thought in a field of its own at Mistral',
      'Extra inputs',
      { model: 'mistral-large-latest', messages: [user, { ...answer('a'), reasoning_content: 'hm' }] },
      { model: 'deepseek-chat', messages: [user, { ...answer('a'), reasoning_content: 'hm' }] },
    ],
    ['no message', 'empty array', { messages: [] }, { messages: [user] }],
    [
      'JSON that nobody spoke of',
      "the word 'json'",
      { response_format: { type: 'json_object' } },
      { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'in JSON' }] },
    ],
    ['an empty list of tools', "too short - 'tools'", { tools: [] }, {}],
    [
      'parameters without properties',
      'object schema missing properties',
      taking({ type: 'object' }),
      taking({ type: 'object', properties: {} }),
    ],
    [
      'a list of nothing in particular',
      "In context=('properties', 'items'), array schema missing items",
      taking(lists({ type: ['array', 'null'] })),
      taking(lists({ type: 'array', items: {} })),
    ],
    ['a dot in a name', 'function.name', chatTool('a.b'), chatTool('a_b')],
    ['a name of 65 letters', 'function.name', chatTool(longName), chatTool(longName.slice(1))],
    [
      'a call by an id of 65 letters',
      'string too long',
      calling(longName, {}),
      calling(longName.slice(1), {}),
    ],
    [
      'arguments that are no text',
      'arguments',
      calling('c', { arguments: {} }),
      calling('c', { arguments: '{}' }),
    ],
    ['five stops', "'stop'", { stop: stops(5) }, { stop: stops(4) }],
    [
      'stream options of no stream',
      'stream_options',
      { stream_options: {} },
      { stream_options: {}, stream: true },
    ],
    ['a choice among no tools', 'tool_choice', { tools: undefined }, {}],
    ['a choice of no kind', "value for 'tool_choice'", { tool_choice: 'any' }, { tool_choice: 'required' }],
    [
      'a schema of lists',
      "schema must be a JSON Schema of 'type",
      { model: 'gpt-5', ...format({ name: 'a', schema: { type: 'array' } }) },
      { model: 'gpt-5', ...format({ name: 'a', schema: { type: 'object' } }) },
    ],
    [
      'a schema without a name',
      'json_schema.name',
      format({ schema: {} }),
      format({ name: 'a', schema: {} }),
    ],
    ['metadata that are no texts', 'metadata', { metadata: { a: 1 } }, { metadata: { a: '1' } }],
    [
      'a list of no parts',
      'empty array',
      messageWith('user'),
      messageWith('user', { type: 'text', text: '' }),
    ],
    [
      'a file without a name',
      'filename',
      messageWith('user', file({})),
      messageWith('user', file({ filename: 'a.pdf' })),
    ],
    [
      'a file of the system',
      "'file'",
      messageWith('system', file({})),
      messageWith('system', { type: 'text', text: 'a' }),
    ],
    [
      'a result without a call',
      'preceding message',
      { messages: [user, { role: 'tool', tool_call_id: 'x', content: 'y' }] },
      calling('x', {}),
    ],
  ],
  'openai-responses': [
    [
      'a strict function with an optional property',
      "Missing 'b'",
      strictly(closed({ a: {}, b: {} }, ['a'])),
      strictly(closed({ a: {}, b: {} }, ['a']), false),
    ],
    [
      'a strict function with an object that is open',
      "'additionalProperties' is required",
      strictly(closed({ a: { type: 'object', properties: {} } }, ['a'])),
      strictly(closed({ a: closed({}, []) }, ['a'])),
    ],
    [
      'a choice at the top of parameters',
      'at the top level',
      {
        tools: [
          { type: 'function', name: 'look', parameters: { type: 'object', properties: {}, anyOf: [] } },
        ],
      },
      { tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }] },
    ],
    [
      'parameters without properties',
      'object schema missing properties',
      { tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }] },
      { tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }] },
    ],
    ['an unknown field', 'Unknown parameter', { stop: ['a'] }, { client_metadata: { a: 'b' } }],
    ['instructions and no input', 'must be provided', { input: [], instructions: 'a' }, { input: 'a' }],
    [
      'an unknown field of an item',
      "'input[0].name'",
      input({ role: 'user', content: '', name: 'a' }),
      input({ role: 'user', content: '' }),
    ],
    [
      'a thought that led to nothing',
      'required following item',
      input(thought, user),
      input(thought, answer('a'), user),
    ],
    [
      'JSON that nobody spoke of',
      "the word 'json'",
      { text: { format: { type: 'json_object' } }, instructions: 'in JSON' },
      { text: { format: { type: 'json_object' } }, input: 'in JSON' },
    ],
    [
      'a dot in a name',
      "'tools[0].name'",
      { tools: [{ type: 'function', name: 'a.b' }] },
      { tools: [{ type: 'function', name: 'a_b' }] },
    ],
    ['fewer tokens than 16', '>= 16', { max_output_tokens: 15 }, { max_output_tokens: 16 }],
    ['a result without a call', 'No tool call found', input(output), input(call({}), output)],
    ['a call without a result', 'No tool output found', input(call({})), input(call({}), output)],
    [
      'a call by an id of 65 letters',
      'string too long',
      input(call({ call_id: longName }), { ...output, call_id: longName }),
      input(call({ call_id: longName.slice(1) }), { ...output, call_id: longName.slice(1) }),
    ],
    [
      'a foreign id',
      "begins with 'rs'",
      input({ ...thought, id: 'thought_1' }, answer('a')),
      input(thought, answer('a')),
    ],
    [
      'a part the user does not say',
      "'output_text'",
      input({ role: 'user', content: [{ type: 'output_text', text: 'a' }] }),
      input({ role: 'user', content: [{ type: 'input_text', text: 'a' }] }),
    ],
    [
      'arguments that are no text',
      'arguments',
      input(call({ arguments: {} }), output),
      input(call({ arguments: '{}' }), output),
    ],
    [
      'a schema without a name',
      'text.format.name',
      { text: { format: { type: 'json_schema', schema: {} } } },
      { text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
    ],
    ['a choice of no kind', 'tool_choice', { tool_choice: 'any' }, { tool_choice: 'required' }],
  ],
};
