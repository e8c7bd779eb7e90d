import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { all, carried, leftOut, refused, SCHEMA, type NoneMissing, type RequestField } from './field.ts';

const responsesTool = { type: 'function', name: 'f', parameters: SCHEMA, strict: false };
const withResponsesTools = { tools: [responsesTool] };

/** Every request field of the provider's own client library, and what becomes of it. */
export const responsesFields = {
  input: carried('another'),
  model: all('other', {}),
  stream: all(true, { 'openai-chat': 'carried', 'anthropic-messages': 'carried' }),
  background: refused(true),
  background_options: leftOut({ completion_window: '2h' }),
  context_management: leftOut([{ type: 'compaction' }]),
  conversation: refused('conv_1'),
  include: leftOut(['reasoning.encrypted_content']),
  instructions: carried('be kind'),
  max_output_tokens: carried(99),
  metadata: leftOut({ a: 'b' }),
  parallel_tool_calls: all(
    false,
    { gemini: 'left out', 'openai-chat': 'carried', 'anthropic-messages': 'carried' },
    withResponsesTools,
  ),
  previous_response_id: refused('resp_1'),
  prompt: refused({ id: 'p' }),
  prompt_cache_key: leftOut('k'),
  prompt_cache_options: leftOut({ mode: 'explicit' }),
  'prompt_cache_options.prewarm': refused(true),
  prompt_cache_retention: leftOut('24h'),
  reasoning: carried({ effort: 'low' }),
  safety_identifier: leftOut('u'),
  service_tier: leftOut('flex'),
  store: refused(true),
  stream_options: leftOut({ include_obfuscation: false }),
  temperature: carried(0.5),
  'text.format': carried({ type: 'json_schema', name: 's', schema: SCHEMA }),
  'text.verbosity': leftOut('low'),
  tool_choice: carried('required', withResponsesTools),
  tools: carried([responsesTool]),
  'input.0.content.0.prompt_cache_breakpoint': leftOut(
    { mode: 'explicit' },
    { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }] },
  ),
  'tools.0.type': refused('file_search', { tools: [{}] }),
  'tools.0': all(
    { type: 'web_search' },
    { 'openai-chat': 'refused', 'anthropic-messages': 'carried', gemini: 'carried' },
  ),
  top_logprobs: all(3, {
    'openai-chat': 'carried',
    'anthropic-messages': 'refused',
    gemini: 'carried',
  }),
  top_p: carried(0.5),
  truncation: leftOut('auto'),
  user: all('u', { gemini: 'left out', 'openai-chat': 'carried', 'anthropic-messages': 'carried' }),
  max_tool_calls: leftOut(3),
  access_programs: leftOut([]),
  image: leftOut({}),
  moderation: refused({ model: 'omni-moderation-latest' }),
} satisfies Record<string, RequestField>;

export const isResponsesComplete: NoneMissing<ResponseCreateParamsNonStreaming, typeof responsesFields> =
  true;
