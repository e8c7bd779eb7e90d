import { all, carried, leftOut, PICTURE, refused, SCHEMA, type RequestField } from './field.ts';

const messagesTool = { name: 'f', input_schema: SCHEMA };
const withMessagesTools = { tools: [messagesTool] };

/** Every request field of the provider's own client library, and what becomes of it. */
export const messagesFields = {
  messages: carried([{ role: 'user', content: 'another' }]),
  model: all('other', {}),
  stream: all(true, { 'openai-chat': 'carried', 'openai-responses': 'carried' }),
  max_tokens: carried(99),
  cache_control: leftOut({ type: 'ephemeral' }),
  container: leftOut('container_1'),
  'container.skills': refused([{ type: 'anthropic', skill_id: 'pptx' }]),
  context_management: leftOut({ edits: [{ type: 'clear_tool_uses_20250919' }] }),
  diagnostics: leftOut({ previous_message_id: 'm' }),
  inference_geo: refused('us'),
  'metadata.user_id': all('u', {
    gemini: 'left out',
    'openai-chat': 'carried',
    'openai-responses': 'carried',
  }),
  mcp_servers: refused([{ type: 'url', name: 's', url: 'https://example.com' }]),
  'output_config.effort': carried('low'),
  'output_config.format': carried({ type: 'json_schema', schema: SCHEMA }),
  output_format: carried({ type: 'json_schema', schema: SCHEMA }),
  service_tier: leftOut('standard_only'),
  speed: leftOut('fast'),
  stop_sequences: all(['x'], { gemini: 'carried', 'openai-chat': 'carried', 'openai-responses': 'left out' }),
  system: carried([{ type: 'text', text: 'be kind' }]),
  temperature: carried(0.5),
  thinking: carried({ type: 'enabled', budget_tokens: 2048 }),
  tool_choice: carried({ type: 'any' }, withMessagesTools),
  'tool_choice.name': all(
    'web_search',
    { 'openai-responses': 'carried', gemini: 'refused' },
    {
      tools: [{ type: 'web_search_20260209', name: 'web_search' }, ...withMessagesTools.tools],
      tool_choice: { type: 'tool', name: 'f' },
    },
  ),
  'output_config.task_budget': leftOut({ type: 'tokens', total: 1000 }),
  'tool_choice.disable_parallel_tool_use': all(
    true,
    { gemini: 'left out', 'openai-chat': 'carried', 'openai-responses': 'carried' },
    { ...withMessagesTools, tool_choice: { type: 'auto' } },
  ),
  tools: carried([messagesTool]),
  'tools.0.type': refused('advisor_20260301', { tools: [{ name: 'advisor' }] }),
  'tools.0': all(
    { type: 'web_search_20260209', name: 'web_search' },
    { 'openai-chat': 'refused', 'openai-responses': 'carried', gemini: 'carried' },
  ),
  'tools.1': carried({ type: 'bash_20250124', name: 'bash' }),
  'tools.0.cache_control': leftOut({ type: 'ephemeral' }, withMessagesTools),
  'tools.0.strict': all(
    true,
    { gemini: 'left out', 'openai-chat': 'carried', 'openai-responses': 'carried' },
    withMessagesTools,
  ),
  'tools.0.input_examples': leftOut([{ a: 'b' }], withMessagesTools),
  'tools.0.eager_input_streaming': leftOut(true, withMessagesTools),
  'tools.0.defer_loading': leftOut(true, withMessagesTools),
  'tools.0.allowed_callers': leftOut(['direct'], withMessagesTools),
  top_k: all(5, { gemini: 'carried', 'openai-chat': 'carried', 'openai-responses': 'left out' }),
  top_p: carried(0.5),
  // Accepted only with a beta header.
  billing_policy: leftOut({ type: 'billing_policy', bill_to: 'user_profile' }),
  compaction: refused({ type: 'enabled' }),
  fallbacks: leftOut([{ model: 'other' }]),
  fallback_credit_token: leftOut('t'),
  thread: refused({ type: 'create' }),
  'messages.0.content.0': carried({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: PICTURE },
  }),
  'messages.0.content.1': carried({
    type: 'search_result',
    source: 'https://example.com',
    title: 'found',
    content: [{ type: 'text', text: 'words' }],
  }),
  'messages.0.content.3': carried({
    type: 'document',
    title: 'found',
    source: { type: 'content', content: [{ type: 'text', text: 'words' }] },
  }),
  'messages.1': carried({ role: 'assistant', content: [{ type: 'compaction', content: 'so far' }] }),
  'messages.2': refused({
    role: 'assistant',
    content: [{ type: 'compaction', content: null, encrypted_content: 'sealed' }],
  }),
  'messages.0.content.4': carried({
    type: 'document',
    source: {
      type: 'content',
      content: [
        { type: 'text', text: 'words' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      ],
    },
  }),
  'messages.0.content.2': refused({ type: 'container_upload', file_id: 'f' }),
} satisfies Record<string, RequestField>;
