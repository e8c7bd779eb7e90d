import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import {
  all,
  carried,
  leftOut,
  PICTURE,
  refused,
  SCHEMA,
  type NoneMissing,
  type RequestField,
} from './field.ts';

const chatTool = { type: 'function', function: { name: 'f', parameters: SCHEMA } };
const withChatTools = { tools: [chatTool] };

/** A field that both OpenAI formats have. */
const atOpenai = (value: unknown): RequestField =>
  all(value, { 'openai-responses': 'carried', 'anthropic-messages': 'left out', gemini: 'left out' });

const notAtAnthropic = (value: unknown, beside = {}): RequestField =>
  all(value, { 'openai-responses': 'carried', 'anthropic-messages': 'refused', gemini: 'carried' }, beside);

/** Every request field of the provider's own client library, and what becomes of it. */
export const chatFields = {
  messages: carried([{ role: 'user', content: 'another' }]),
  model: all('other', {}),
  stream: all(true, { 'openai-responses': 'carried', 'anthropic-messages': 'carried' }),
  audio: {
    ...refused({ voice: 'Kore', format: 'wav' }, { modalities: ['text', 'audio'] }),
    fate: { 'openai-responses': 'refused', 'anthropic-messages': 'refused', gemini: 'carried' },
  },
  frequency_penalty: all(0.5, {
    gemini: 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'left out',
  }),
  function_call: carried('none', { functions: [{ name: 'f' }] }),
  functions: carried([{ name: 'f', parameters: SCHEMA }]),
  logit_bias: refused({ 50256: -100 }),
  logprobs: notAtAnthropic(true),
  max_completion_tokens: carried(99),
  max_tokens: carried(99),
  metadata: atOpenai({ a: 'b' }),
  modalities: all(['text', 'image'], {
    gemini: 'carried',
    'openai-responses': 'refused',
    'anthropic-messages': 'refused',
  }),
  moderation: refused({ model: 'omni-moderation-latest' }),
  n: all(2, { gemini: 'carried', 'openai-responses': 'refused', 'anthropic-messages': 'refused' }),
  parallel_tool_calls: all(
    false,
    { gemini: 'left out', 'openai-responses': 'carried', 'anthropic-messages': 'carried' },
    withChatTools,
  ),
  prediction: leftOut({ type: 'content', content: 'a' }),
  presence_penalty: all(0.5, {
    gemini: 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'left out',
  }),
  prompt_cache_key: atOpenai('k'),
  prompt_cache_options: atOpenai({ mode: 'explicit' }),
  prompt_cache_retention: atOpenai('24h'),
  reasoning_effort: carried('low'),
  response_format: carried({ type: 'json_schema', json_schema: { name: 's', schema: SCHEMA } }),
  'response_format.type': refused('grammar'),
  'messages.0.content.0.cache_control': all(
    { type: 'ephemeral' },
    { 'anthropic-messages': 'carried', gemini: 'left out', 'openai-responses': 'left out' },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
  ),
  'messages.0.content.0.prompt_cache_breakpoint': all(
    { mode: 'explicit' },
    { 'openai-responses': 'carried', gemini: 'left out', 'anthropic-messages': 'left out' },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
  ),
  'tools.0.cache_control': all(
    { type: 'ephemeral' },
    { 'anthropic-messages': 'carried', gemini: 'left out', 'openai-responses': 'left out' },
    withChatTools,
  ),
  min_p: leftOut(0.1),
  repetition_penalty: leftOut(1.1),
  'messages.1.prefix': leftOut(true, {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'a' },
    ],
  }),
  safety_identifier: atOpenai('u'),
  seed: all(7, { gemini: 'carried', 'openai-responses': 'left out', 'anthropic-messages': 'left out' }),
  service_tier: atOpenai('flex'),
  // Responses has no such field: we end its answer there ourselves.
  stop: all(['x'], { gemini: 'carried', 'openai-responses': 'left out', 'anthropic-messages': 'carried' }),
  store: leftOut(true),
  stream_options: leftOut({ include_obfuscation: false }),
  temperature: carried(0.5),
  tool_choice: carried('required', withChatTools),
  tools: carried([chatTool]),
  'tools.0': carried({ type: 'custom', custom: { name: 'c' } }),
  top_logprobs: notAtAnthropic(3, { logprobs: true }),
  top_p: carried(0.5),
  user: all('u', { gemini: 'left out', 'openai-responses': 'carried', 'anthropic-messages': 'carried' }),
  verbosity: atOpenai('low'),
  web_search_options: carried({ search_context_size: 'low' }),
  // Fields that compatible upstreams and routers added.
  plugins: carried([{ id: 'web' }]),
  'tools.1': carried({ type: 'openrouter:web_search' }),
  'messages.0.content.1': carried({ type: 'document_url', document_url: 'https://example.com/a.pdf' }),
  'messages.0.content.2': all(
    { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
    { 'openai-responses': 'refused', 'anthropic-messages': 'refused', gemini: 'carried' },
  ),
  top_k: all(5, { gemini: 'carried', 'openai-responses': 'left out', 'anthropic-messages': 'carried' }),
  reasoning: carried({ effort: 'high' }),
  thinking: carried({ type: 'enabled', budget_tokens: 4096 }),
  thinking_budget: carried(4096),
  enable_thinking: all(true, {
    gemini: 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'carried',
  }),
  extra_body: carried({ google: { thinking_config: { thinking_budget: 4096 } } }),
  'messages.0.name': all('ann', 'left out'),
  'messages.0.content': carried([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
  ]),
  'messages.0.content.0.image_url.detail': all(
    'low',
    { gemini: 'left out', 'openai-responses': 'carried', 'anthropic-messages': 'left out' },
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }],
        },
      ],
    },
  ),
} satisfies Record<string, RequestField>;

export const isChatComplete: NoneMissing<ChatCompletionCreateParamsNonStreaming, typeof chatFields> = true;
