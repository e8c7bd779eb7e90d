import { encodeMessage } from '../../src/simulator/chats/event-stream.ts';
import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  events,
  json,
  type Json,
  namedEvents,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  type Wire,
  WORDS,
} from './wire.ts';

/** Anthropic's Messages (platform.claude.com/docs/en/api/messages). */
export const messagesPage = ({ calls, stream }: Question): Page => {
  const tool = { type: 'tool_use', id: 'toolu_1', name: 'get_weather' };
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
  const reason = calls ? 'tool_use' : 'end_turn';
  if (!stream)
    return json({
      ...head,
      content: calls ? [{ ...tool, input: { city: 'Paris' } }] : [{ type: 'text', text: TEXT }],
      stop_reason: reason,
      usage: { input_tokens: PROMPT_TOKENS, output_tokens: COMPLETION_TOKENS },
    });
  const list: Json[] = [
    {
      type: 'message_start',
      message: { ...head, content: [], usage: { input_tokens: PROMPT_TOKENS, output_tokens: 1 } },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: calls ? { ...tool, input: {} } : { type: 'text', text: '' },
    },
    ...(calls
      ? ['{"city"', ':"Paris"}'].map((text) => ({ type: 'input_json_delta', partial_json: text }))
      : WORDS.map((text) => ({ type: 'text_delta', text }))
    ).map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: COMPLETION_TOKENS } },
    { type: 'message_stop' },
  ];
  return namedEvents(list.map((event) => [String(event['type']), event]));
};

/** Google's generateContent (ai.google.dev/api/generate-content). */
export const geminiPage = ({ calls, stream }: Question): Page => {
  const usageMetadata = {
    promptTokenCount: PROMPT_TOKENS,
    candidatesTokenCount: COMPLETION_TOKENS,
    totalTokenCount: PROMPT_TOKENS + COMPLETION_TOKENS,
  };
  const piece = (parts: readonly Json[], end: boolean): Json => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(end && { finishReason: 'STOP' }) }],
    usageMetadata,
    modelVersion: 'gemini',
  });
  const call = [{ functionCall: { name: 'get_weather', args: JSON.parse(ARGUMENTS) as Json } }];
  if (!stream) return json(piece(calls ? call : [{ text: TEXT }], true));
  if (calls) return events(piece(call, true));
  return events(...WORDS.map((text, at) => piece([{ text }], at === WORDS.length - 1)));
};

/** The same at Bedrock: each event in a chunk of AWS's framing (InvokeModelWithResponseStream). */
const bedrockPage = (question: Question): Page => {
  const page = messagesPage(question);
  if (!question.stream) return page;
  const chunks = [...String(page.bytes).matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
    encodeMessage(
      { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
      JSON.stringify({ bytes: Buffer.from(data).toString('base64'), p: 'abc' }),
    ),
  );
  return { contentType: 'application/vnd.amazon.eventstream', bytes: Buffer.concat(chunks) };
};

const anthropicError = (status: number, type: string, message: string) => ({
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_1' },
});
const googleError = (status: number, word: string, message: string, details: readonly Json[] = []) => ({
  status,
  body: { error: { code: status, message, status: word, details } },
});

const geminiKind = (type: number, name: string): Wire => ({
  type,
  name,
  reference: 'ai.google.dev/api/generate-content; troubleshooting',
  key: 'google-key',
  model: 'gemini-2.5-flash',
  chat: '/v1beta/models/gemini-2.5-flash:generateContent',
  streamed: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  headers: { 'x-goog-api-key': 'google-key' },
  asks: { contents: [{ role: 'user' }], generationConfig: { maxOutputTokens: 100 } },
  answer: geminiPage,
  offersTools: true,
  tellsUsage: true,
  badKey: googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
  ]),
  rateLimit: googleError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' },
  ]),
  models: {
    path: '/v1beta/models?pageSize=1000',
    body: { models: [{ name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent'] }] },
    names: ['gemini-2.5-flash'],
  },
});

const BEDROCK_MODELS: Wire['models'] = {
  path: '/foundation-models',
  body: {
    modelSummaries: [
      {
        modelId: 'amazon.nova-lite-v1:0',
        modelArn: 'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0',
        outputModalities: ['TEXT'],
        inferenceTypesSupported: ['ON_DEMAND'],
        modelLifecycle: { status: 'ACTIVE' },
      },
    ],
  },
  names: ['amazon.nova-lite-v1:0'],
};

export const awsSigned = /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/bedrock\/aws4_request/;

/** Upstreams that speak one of the callers' formats. */
export const knownFormatWires: readonly Wire[] = [
  {
    type: 14,
    name: 'Anthropic',
    reference: 'platform.claude.com/docs/en/api/messages; errors',
    key: 'sk-ant-1',
    model: 'claude-sonnet-4-6',
    chat: '/v1/messages',
    headers: { 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' },
    asks: { model: 'claude-sonnet-4-6', max_tokens: 100, messages: [{ role: 'user' }] },
    answer: messagesPage,
    offersTools: true,
    tellsUsage: true,
    badKey: anthropicError(401, 'authentication_error', 'invalid x-api-key'),
    rateLimit: anthropicError(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
    models: {
      path: '/v1/models?limit=1000',
      body: { data: [{ type: 'model', id: 'claude-sonnet-4-6', display_name: 'Sonnet' }], has_more: false },
      names: ['claude-sonnet-4-6'],
    },
  },
  geminiKind(24, 'Gemini'),
  geminiKind(11, 'PaLM'),
  {
    type: 33,
    name: 'Claude at Bedrock, under an API key',
    reference: 'docs.aws.amazon.com/bedrock, InvokeModel; API keys; common errors',
    key: 'ABSKone|us-east-1',
    model: 'claude-3-haiku-20240307',
    chat: '/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    headers: { authorization: 'Bearer ABSKone' },
    asks: { anthropic_version: 'bedrock-2023-05-31', max_tokens: 100 },
    streamed: '/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke-with-response-stream',
    answer: bedrockPage,
    offersTools: true,
    tellsUsage: true,
    badKey: { status: 403, body: { message: 'The security token included in the request is expired' } },
    rateLimit: {
      status: 429,
      headers: { 'x-amzn-errortype': 'ThrottlingException' },
      body: { message: 'Too many requests, please wait before trying again.' },
    },
    models: BEDROCK_MODELS,
  },
];
