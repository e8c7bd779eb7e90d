/** How providers report the tools they run themselves, by their references. */

/** One provider's answer that used the provider's own tools. */
export interface Case {
  readonly name: string;
  /** The reference that documents the fields. */
  readonly reference: string;
  readonly type: number;
  readonly model: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly whole: unknown;
  /** The events of a stream. */
  readonly events: readonly (readonly [name: string, data: unknown])[];
  /** The price of the tools of one answer, in quota units. */
  readonly units: number;
}

/** The token usage of every answer. */
export const TOKENS = 30;

const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const responsesUsage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };

const responses = (
  model: string,
  output: readonly unknown[],
  beside: Readonly<Record<string, unknown>> = {},
): Pick<Case, 'whole' | 'events' | 'model' | 'path' | 'body'> => {
  const head = { id: 'resp_1', object: 'response', created_at: 1, model };
  const whole = {
    ...head,
    status: 'completed',
    output: [...output, message('Found.')],
    usage: responsesUsage,
    ...beside,
  };
  return {
    model,
    path: '/v1/responses',
    body: { input: 'look it up', max_output_tokens: 100, tools: [{ type: 'web_search' }] },
    whole,
    events: [
      ['response.created', { type: 'response.created', response: { ...head, status: 'in_progress' } }],
      ...output.map(
        (item, output_index) =>
          ['response.output_item.done', { type: 'response.output_item.done', output_index, item }] as const,
      ),
      [
        'response.output_text.delta',
        { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Found.' },
      ],
      ['response.completed', { type: 'response.completed', response: whole }],
    ],
  };
};

const searched = (action: string) => ({
  type: 'web_search_call',
  id: `ws_${action}`,
  status: 'completed',
  action: { type: action },
});

const ran = (id: string, container_id: string) => ({
  type: 'code_interpreter_call',
  id: `ci_${id}`,
  status: 'completed',
  code: '1',
  container_id,
});

const messagesUsage = {
  input_tokens: 20,
  output_tokens: 10,
  server_tool_use: { web_search_requests: 3, web_fetch_requests: 1 },
};
const gemini = (model: string, grounding: unknown) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text: 'Found.' }] },
      finishReason: 'STOP',
      groundingMetadata: grounding,
    },
  ],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 },
  modelVersion: model,
});
const GROUNDED = {
  webSearchQueries: ['one', 'two'],
  groundingChunks: [{ web: { uri: 'https://a.example', title: 'a' } }],
};
const geminiCase = (model: string): Pick<Case, 'type' | 'model' | 'path' | 'body' | 'whole' | 'events'> => ({
  type: 24,
  model,
  path: `/v1beta/models/${model}:generateContent`,
  body: { contents: [{ role: 'user', parts: [{ text: 'look it up' }] }], tools: [{ google_search: {} }] },
  whole: gemini(model, GROUNDED),
  events: [['', gemini(model, GROUNDED)]],
});

const chat = (model: string, usage: object) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Found.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, ...usage },
});
const chatCase = (
  type: number,
  model: string,
  usage: object = {},
): Omit<Case, 'name' | 'reference' | 'units'> => ({
  type,
  model,
  path: '/v1/chat/completions',
  body: { messages: [{ role: 'user', content: 'look it up' }], max_tokens: 100, web_search_options: {} },
  whole: chat(model, usage),
  events: [
    [
      '',
      {
        ...chat(model, usage),
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Found.' }, finish_reason: 'stop' }],
      },
    ],
  ],
});

export const cases: readonly Case[] = [
  {
    name: "OpenAI's web search: each search, no page it opens; and its search of files",
    reference: 'developers.openai.com/api/docs: pricing; tools, web search, output and citations',
    type: 1,
    ...responses('gpt-5.4', [
      searched('search'),
      searched('open_page'),
      searched('search'),
      { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'] },
    ]),
    units: 2 * 5000 + 1250,
  },
  {
    name: "OpenAI's code interpreter: each container, whatever runs in it",
    reference: 'developers.openai.com/api/docs: pricing; tools, code interpreter',
    type: 1,
    ...responses('gpt-5.5', [ran('one', 'cntr_a'), ran('two', 'cntr_a'), ran('three', 'cntr_b')]),
    body: {
      input: 'reckon',
      max_output_tokens: 100,
      tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
    },
    units: 2 * 15_000,
  },
  {
    name: "OpenAI's preview of it, dearer with models that do not think",
    reference: 'developers.openai.com/api/docs/pricing',
    type: 1,
    ...responses('gpt-4o', [searched('search')], { tools: [{ type: 'web_search_preview' }] }),
    units: 12_500,
  },
  {
    name: "OpenAI's models that always search, in chats",
    reference: 'developers.openai.com/api/docs/pricing',
    ...chatCase(1, 'gpt-4o-search-preview'),
    units: 12_500,
  },
  {
    name: "Anthropic's web search; reading pages is free",
    reference: 'platform.claude.com/docs/agents-and-tools/tool-use/web-search-tool, usage and pricing',
    type: 14,
    model: 'claude-sonnet-4-5',
    path: '/v1/messages',
    body: {
      messages: [{ role: 'user', content: 'look it up' }],
      max_tokens: 100,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
    },
    whole: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'Found.' }],
      stop_reason: 'end_turn',
      usage: messagesUsage,
    },
    events: [
      [
        'message_start',
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            content: [],
            usage: { input_tokens: 20, output_tokens: 1 },
          },
        },
      ],
      [
        'content_block_start',
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        },
      ],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      [
        'content_block_start',
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      ],
      [
        'content_block_delta',
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Found.' } },
      ],
      ['content_block_stop', { type: 'content_block_stop', index: 1 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: messagesUsage }],
      ['message_stop', { type: 'message_stop' }],
    ],
    units: 3 * 5000,
  },
  {
    name: "Google's search, each of its queries since Gemini 3",
    reference: 'ai.google.dev/gemini-api/docs/pricing, google-search',
    ...geminiCase('gemini-3-flash'),
    units: 2 * 7000,
  },
  {
    name: "Google's search before, each prompt once",
    reference: 'ai.google.dev/gemini-api/docs/pricing',
    ...geminiCase('gemini-2.5-flash'),
    units: 17_500,
  },
  {
    name: "xAI's tools, as its usage counts them",
    reference: 'docs.x.ai/developers: pricing, tools/tool-usage-details',
    type: 48,
    ...responses('grok-4.5', [searched('search')], {
      usage: {
        ...responsesUsage,
        num_server_side_tools_used: 6,
        server_side_tool_usage_details: {
          web_search_calls: 1,
          x_search_calls: 3,
          code_interpreter_calls: 0,
          file_search_calls: 2,
          mcp_calls: 1,
          document_search_calls: 0,
        },
      },
    }),
    units: 4 * 2500 + 2 * 1250,
  },
  {
    name: "Perplexity's tools",
    reference: 'docs.perplexity.ai: getting-started/pricing, Agent API, usage',
    type: 27,
    ...responses('sonar-pro', [], {
      usage: {
        ...responsesUsage,
        cost: { currency: 'USD', tool_calls_cost: 0.006, total_cost: 0.01 },
        tool_calls_details: { search_web: { invocation: 2 }, fetch_url: { invocation: 2 } },
      },
    }),
    units: 2 * 1250 + 2 * 250,
  },
  {
    name: "OpenRouter's search",
    reference: 'openrouter.ai/docs/features/web-search, usage',
    ...chatCase(20, 'openai/gpt-5.4', { server_tool_use: { web_search_requests: 2 } }),
    units: 2 * 5000,
  },
];
