/** Request bodies that a maker accepts, and changes that it refuses. */

export type Fields = Readonly<Record<string, unknown>>;

const schema = { type: 'object', properties: { $ref: { type: 'string' } } };

/** A good request of each format, with a tool, a call of it and its result. */
export const good: Readonly<Record<string, Fields>> = {
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
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
        ],
      },
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

/** A refused change, its error message, and the nearest change that is accepted. */
export type Example = readonly [what: string, words: string, refused: Fields, taken: Fields];
