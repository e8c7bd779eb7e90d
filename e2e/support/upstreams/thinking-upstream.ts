import type { DialectName } from '../../../src/server/core/chat/request.ts';
import { startFormatUpstream } from './format-upstream.ts';

/** The signature of the upstream's thought: bytes in base64, as with every maker. */
export const SEAL = 'EqQBCkYICxgCKkD/+abc==';
const THOUGHT = ['The sky ', 'tells.'];

const events = (list: readonly { readonly type: string }[]): string =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const data = (list: readonly unknown[]): string =>
  list.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('');

const messages = (): string =>
  events([
    {
      type: 'message_start',
      message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    ...THOUGHT.map((thinking) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking },
    })),
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SEAL } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"city":"Paris"}' },
    },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ] as { type: string }[]);

const gemini = (): string => {
  const piece = (parts: unknown[], beside = {}) => ({
    responseId: 'r1',
    modelVersion: 'm',
    candidates: [{ index: 0, content: { role: 'model', parts }, ...beside }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 7, totalTokenCount: 16 },
  });
  const functionCall = { name: 'get_weather', args: { city: 'Paris' } };
  return data([
    ...THOUGHT.map((text) => piece([{ text, thought: true }])),
    piece([{ functionCall, thoughtSignature: SEAL }], { finishReason: 'STOP' }),
  ]);
};

const responses = (): string => {
  const thought = {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: THOUGHT.join('') }],
    encrypted_content: SEAL,
  };
  const call = {
    id: 'fc_1',
    type: 'function_call',
    call_id: 'call_1',
    name: 'get_weather',
    arguments: '{"city":"Paris"}',
    status: 'completed',
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'in_progress',
    output: [],
  };
  const usage = { input_tokens: 9, output_tokens: 7, total_tokens: 16 };
  return events(
    [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
      {
        type: 'response.reasoning_summary_part.added',
        output_index: 0,
        summary_index: 0,
        item_id: 'rs_1',
        part: { type: 'summary_text', text: '' },
      },
      ...THOUGHT.map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        summary_index: 0,
        item_id: 'rs_1',
        delta,
      })),
      { type: 'response.output_item.done', output_index: 0, item: thought },
      { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
      {
        type: 'response.function_call_arguments.delta',
        output_index: 1,
        item_id: 'fc_1',
        delta: call.arguments,
      },
      { type: 'response.output_item.done', output_index: 1, item: call },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [thought, call], usage },
      },
    ].map((event, number) => ({ ...event, sequence_number: number })),
  );
};

/** Thoughts in the fields of OpenRouter (openrouter.ai/docs, reasoning tokens). */
const chat = (): string => {
  const piece = (delta: object, finish: string | null = null) => ({
    id: 'gen-1',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const detail = { type: 'reasoning.text', index: 0 };
  const call = { index: 0, id: 'call_1', type: 'function' };
  return data([
    piece({ role: 'assistant', content: '' }),
    ...THOUGHT.map((text) => piece({ reasoning: text, reasoning_details: [{ ...detail, text }] })),
    piece({ reasoning_details: [{ ...detail, signature: SEAL }] }),
    piece({ tool_calls: [{ ...call, function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }] }),
    piece({}, 'tool_calls'),
    { id: 'gen-1', choices: [], usage: { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 } },
    '[DONE]',
  ]);
};

const STREAMS: Readonly<Record<DialectName, () => string>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
};

/** An upstream of all four formats, at `/FORMAT/stream`, that sends a signed thought and a tool call. */
export const startThinkingUpstream = async () => {
  const asked: Record<string, unknown>[] = [];
  const upstream = await startFormatUpstream(({ format, text }) => {
    asked.push(JSON.parse(text) as Record<string, unknown>);
    return STREAMS[format]();
  });
  /** `asked`: the bodies received, in order. */
  return { ...upstream, asked };
};
