import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { plainWorkIn, unpricedWorkIn } from './unpriced-work.ts';

/** Requests for work that costs extra but is not counted are refused. */

const tools = (...list: Fields[]): Fields => ({
  tools: [{ type: 'function', function: { name: 'f' } }, ...list],
});

/** A tool that a message adds to the conversation. */
const midway = (definition: Fields): Fields => ({
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }] },
  ],
});

describe('work without a price is found by its field', () => {
  test.each<[string, DialectName, string, Fields]>([
    ['xAI’s live search', 'openai-chat', 'search_parameters', { search_parameters: { mode: 'auto' } }],
    ['Alibaba’s search', 'openai-chat', 'enable_search', { enable_search: true }],
    [
      'the same, unpacked',
      'openai-chat',
      'extra_body.enable_search',
      { extra_body: { enable_search: 'true' } },
    ],
    ['Alibaba’s code', 'openai-chat', 'enable_code_interpreter', { enable_code_interpreter: true }],
    ['Baidu’s search', 'openai-chat', 'web_search', { web_search: { enable: true } }],
    ['Tencent’s search', 'openai-chat', 'force_search_enhancement', { force_search_enhancement: true }],
    ['Cohere’s connectors', 'openai-chat', 'connectors', { connectors: [{ id: 'web-search' }] }],
    [
      'Groq’s compound',
      'openai-chat',
      'compound_custom',
      { compound_custom: { tools: { enabled_tools: [] } } },
    ],
    [
      'a plugin inside',
      'openai-chat',
      'extra_body.plugins.0',
      { extra_body: { plugins: [{ id: 'file-parser' }] } },
    ],
    [
      'the same for a maker of many',
      'openai-chat',
      'extra_body.provider_options.xai.searchParameters',
      {
        extra_body: {
          provider_options: { gateway: { sort: 'price' }, xai: { searchParameters: { mode: 'on' } } },
        },
      },
    ],
    [
      'another spelling inside',
      'openai-chat',
      'extra_body.Enable_Search',
      { extra_body: { Enable_Search: 1 } },
    ],
    [
      'a picture tool that an item adds',
      'openai-responses',
      'input.1.tools.0',
      {
        input: [
          { role: 'user', content: 'hi' },
          { type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation' }] },
        ],
      },
    ],
    [
      'a search that a search for tools found',
      'openai-responses',
      'input.0.tools.1',
      {
        input: [
          { type: 'tool_search_output', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
        ],
      },
    ],
    [
      'a picture tool in an object that is unpacked',
      'openai-responses',
      'extra_body.tools.0',
      { extra_body: { tools: [{ type: 'image_generation' }] } },
    ],
    [
      'a picture tool in a namespace',
      'openai-responses',
      'tools.1.tools.0',
      tools({ type: 'namespace', name: 'n', tools: [{ Type: 'image_generation' }] }),
    ],
    [
      'an adviser that a message adds',
      'anthropic-messages',
      'messages.1.content.0.tool.definition',
      midway({ type: 'advisor_20260301', name: 'advisor' }),
    ],
    [
      'servers that a message adds',
      'anthropic-messages',
      'messages.1.content.0.tool.definition',
      midway({ type: 'mcp_toolset', mcp_server_name: 's' }),
    ],
    ['another spelling of a type', 'openai-chat', 'tools.1', tools({ Type: 'web_search', name: 'f' })],
    [
      'OpenRouter’s OCR',
      'openai-chat',
      'plugins.1',
      {
        plugins: [{ id: 'web' }, { id: 'file-parser', pdf: { engine: 'mistral-ocr' } }],
      },
    ],
    ['a dear host', 'openai-chat', 'provider.order', { provider: { order: ['dear'] } }],
    ['dear hosts only', 'anthropic-messages', 'provider.only', { provider: { only: ['dear'] } }],
    ['a host that is not the cheap one', 'openai-chat', 'provider.ignore', { provider: { ignore: ['a'] } }],
    ['the fastest host', 'openai-responses', 'provider.sort', { provider: { sort: 'throughput' } }],
    ['the same, said at length', 'openai-chat', 'provider.sort', { provider: { sort: { by: 'latency' } } }],
    ['a dear precision', 'openai-chat', 'provider.quantizations', { provider: { quantizations: ['bf16'] } }],
    [
      'a dear host, unpacked',
      'openai-chat',
      'extra_body.provider.order',
      { extra_body: { provider: { order: ['dear'] } } },
    ],
    [
      'Vercel’s choice of a host',
      'openai-chat',
      'providerOptions.gateway.order',
      { providerOptions: { gateway: { order: ['azure'] } } },
    ],
    ['OpenRouter’s parser that chooses', 'openai-chat', 'plugins.0', { plugins: [{ id: 'file-parser' }] }],
    ['OpenRouter’s choice of models', 'openai-chat', 'plugins.0', { plugins: [{ id: 'auto-router' }] }],
    ['OpenRouter’s drawing', 'openai-chat', 'tools.1', tools({ type: 'openrouter:image_generation' })],
    ['Zhipu’s search', 'openai-chat', 'tools.1', tools({ type: 'web_search', web_search: { enable: true } })],
    [
      'Moonshot’s search',
      'openai-chat',
      'tools.1',
      tools({ type: 'builtin_function', function: { name: '$web_search' } }),
    ],
    ['Groq’s browser', 'openai-chat', 'tools.1', tools({ type: 'browser_search' })],
    ['Groq’s browser in Responses', 'openai-responses', 'tools.1', tools({ type: 'browser_search' })],
    ['Volcengine’s pictures', 'openai-responses', 'tools.1', tools({ type: 'image_process' })],
    [
      'a large machine for code',
      'openai-responses',
      'tools.1.container.memory_limit',
      tools({
        type: 'code_interpreter',
        container: { type: 'auto', memory_limit: '64g' },
      }),
    ],
    [
      'a drawing that another model writes',
      'openai-responses',
      'tools.1.output_format',
      tools({ type: 'image_generation', output_format: 'SVG' }),
    ],
    [
      'a shell at the maker',
      'openai-responses',
      'tools.1.environment',
      tools({
        type: 'shell',
        environment: { type: 'container_auto' },
      }),
    ],
    [
      'OpenRouter’s tools for Messages',
      'anthropic-messages',
      'tools.1',
      tools({ type: 'openrouter:fusion' }),
    ],
    [
      'Vertex’s search of firms',
      'gemini',
      'tools.0.enterpriseWebSearch',
      { tools: [{ enterpriseWebSearch: {} }] },
    ],
    [
      'a search of others at Vertex',
      'gemini',
      'tools.0.parallel_ai_search',
      { tools: [{ parallel_ai_search: {} }] },
    ],
  ])('%s', (_, format, field, body) => {
    expect(unpricedWorkIn(body, format)).toBe(field);
  });

  test.each<[string, DialectName, Fields]>([
    [
      'what narrows the choice of a host by a promise or a price',
      'openai-chat',
      {
        provider: {
          sort: { by: 'price' },
          order: [],
          max_price: { prompt: 1 },
          require_parameters: true,
          data_collection: 'deny',
          zdr: true,
          allow_fallbacks: false,
        },
      },
    ],
    ['a provider that is a word', 'openai-chat', { provider: 'azure' }],
    [
      'what is switched off',
      'openai-chat',
      {
        enable_search: false,
        search_parameters: { mode: 'off' },
        web_search: { enable: false },
        connectors: [],
        plugins: [{ id: 'file-parser', enabled: false }],
        compound_custom: {},
        tools: null,
      },
    ],
    [
      'what is counted',
      'openai-chat',
      {
        web_search_options: {},
        plugins: [{ id: 'web' }],
        ...tools({ type: 'openrouter:web_search' }),
      },
    ],
    [
      'what costs nothing',
      'openai-chat',
      {
        plugins: [{ id: 'response-healing' }, { id: 'file-parser', pdf: { engine: 'cloudflare-ai' } }],
      },
    ],
    ['tools of the caller', 'openai-chat', tools({ type: 'custom', custom: { name: 'p' } }, { name: 'g' })],
    [
      'tools of Responses',
      'openai-responses',
      tools(
        { type: 'web_search' },
        { type: 'code_interpreter', container: { type: 'auto', memory_limit: '1g' } },
        { type: 'image_generation', output_format: 'gif' },
        { type: 'mcp' },
        { type: 'local_shell' },
        { type: 'shell' },
        { type: 'shell', environment: { type: 'local' } },
        { type: 'namespace' },
        { type: 'apply_patch' },
      ),
    ],
    ['a function that a message adds', 'anthropic-messages', midway({ name: 'g', input_schema: {} })],
    ['a shell that a message adds', 'anthropic-messages', midway({ type: 'bash_20250124', name: 'bash' })],
    [
      'what a search for tools found',
      'openai-responses',
      {
        input: [
          {
            type: 'tool_search_output',
            tools: [
              { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }, { type: 'custom' }] },
            ],
          },
        ],
      },
    ],
    [
      'tools of Messages',
      'anthropic-messages',
      tools(
        { type: 'web_search_20260209' },
        { type: 'web_fetch_20250910' },
        { type: 'code_execution_20250825' },
        { type: 'bash_20250124', name: 'bash' },
        { type: 'browser_toolset_20260801' },
      ),
    ],
    [
      'tools of Gemini',
      'gemini',
      {
        tools: [{ functionDeclarations: [], googleSearch: {} }, { url_context: {} }, { code_execution: {} }],
      },
    ],
  ])('%s passes', (_, format, body) => {
    expect(unpricedWorkIn(body, format)).toBeUndefined();
  });
});

test.each([
  ['a drawing that another model writes', 'output_format', { output_format: 'svg' }],
  ['a dear host', 'provider.order', { provider: { order: ['dear'] } }],
  ['a picture', undefined, { output_format: 'png' }],
])('of an operation other than chat: %s', (_, field, body) => {
  expect(plainWorkIn({ model: 'm', prompt: 'p', ...body })).toBe(field);
});
