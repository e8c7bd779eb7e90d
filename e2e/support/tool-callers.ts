import type { DialectName } from '../../src/server/core/chat/request.ts';

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** A caller with a tool: its first request, and how it returns an answer with the results of the tool calls. */
export interface ToolCaller {
  readonly path: (model: string) => string;
  readonly body: (model: string, turns: readonly unknown[]) => Json;
  readonly question: unknown;
  readonly back: (given: Json) => readonly unknown[];
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
/** One per format; each asks for signed thoughts. */
export const toolCallers: Readonly<Record<DialectName, ToolCaller>> = {
  'openai-chat': {
    path: () => '/v1/chat/completions',
    body: (model, messages) => ({
      model,
      messages,
      reasoning_effort: 'medium',
      max_tokens: 20_000,
      tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
    }),
    question: { role: 'user', content: 'Where?' },
    back: ({ choices }) => {
      const message = list(choices)[0]?.['message'] as Json;
      const results = list(message['tool_calls']).map(({ id }) => ({
        role: 'tool',
        tool_call_id: id,
        content: 'sunny',
      }));
      return [message, ...results];
    },
  },
  'openai-responses': {
    path: () => '/v1/responses',
    body: (model, input) => ({
      model,
      input,
      store: false,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'look', parameters: SCHEMA, strict: false }],
    }),
    question: { role: 'user', content: 'Where?' },
    back: ({ output }) => [
      ...list(output),
      ...list(output)
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id, output: 'sunny' })),
    ],
  },
  'anthropic-messages': {
    path: () => '/v1/messages',
    body: (model, messages) => ({
      model,
      messages,
      max_tokens: 20_000,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      tools: [{ name: 'look', input_schema: SCHEMA }],
    }),
    question: { role: 'user', content: 'Where?' },
    back: ({ content }) => [
      { role: 'assistant', content },
      {
        role: 'user',
        content: list(content)
          .filter(({ type }) => type === 'tool_use')
          .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'sunny' })),
      },
    ],
  },
  gemini: {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    body: (_, contents) => ({
      contents,
      generationConfig: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'look', parameters: SCHEMA }] }],
    }),
    question: { role: 'user', parts: [{ text: 'Where?' }] },
    back: ({ candidates }) => {
      const content = list(candidates)[0]?.['content'] as Json;
      const calls = list(content['parts']).flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [functionCall as Json],
      );
      const results = calls.map(({ id, name }) => ({
        functionResponse: { id, name, response: { output: 'sunny' } },
      }));
      return [content, { role: 'user', parts: results }];
    },
  },
};
