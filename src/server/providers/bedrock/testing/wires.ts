import { encodeMessage } from '../../../../simulator/chats/event-stream.ts';
import { messagesPage } from '../../testing/chat-pages.ts';
import {
  COMPLETION_TOKENS,
  json,
  type Json,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  type Wire,
  WORDS,
} from '../../testing/wire.ts';

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

const awsSigned = /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/bedrock\/aws4_request/;

const conversePage = ({ calls, stream }: Question): Page => {
  const tool = { toolUseId: 'tooluse_1', name: 'get_weather' };
  const usage = { inputTokens: PROMPT_TOKENS, outputTokens: COMPLETION_TOKENS, totalTokens: 15 };
  const stopReason = calls ? 'tool_use' : 'end_turn';
  if (!stream) {
    const content = calls ? [{ toolUse: { ...tool, input: { city: 'Paris' } } }] : [{ text: TEXT }];
    return json({ output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: {} });
  }
  const framed = (name: string, payload: Json): Buffer =>
    encodeMessage(
      { ':event-type': name, ':message-type': 'event' },
      JSON.stringify({ p: 'abc', ...payload }),
    );
  const deltas = calls
    ? ['{"city"', ':"Paris"}'].map((input) => ({ toolUse: { input } }))
    : WORDS.map((text) => ({ text }));
  return {
    contentType: 'application/vnd.amazon.eventstream',
    bytes: Buffer.concat([
      framed('messageStart', { role: 'assistant' }),
      ...(calls ? [framed('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: tool } })] : []),
      ...deltas.map((delta) => framed('contentBlockDelta', { contentBlockIndex: 0, delta })),
      framed('contentBlockStop', { contentBlockIndex: 0 }),
      framed('messageStop', { stopReason }),
      framed('metadata', { usage }),
    ]),
  };
};

export const wires: readonly Wire[] = [
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
  {
    type: 33,
    name: 'Nova at Bedrock, signed',
    reference: 'docs.aws.amazon.com/bedrock, Converse, ConverseStream; common errors',
    key: 'AKID|the-secret|us-east-1',
    model: 'us.amazon.nova-pro-v1:0',
    chat: '/model/us.amazon.nova-pro-v1%3A0/converse',
    streamed: '/model/us.amazon.nova-pro-v1%3A0/converse-stream',
    headers: { authorization: awsSigned, 'x-amz-date': /^\d{8}T\d{6}Z$/ },
    asks: { messages: [{ role: 'user' }], inferenceConfig: { maxTokens: 100 } },
    answer: conversePage,
    offersTools: true,
    tellsUsage: true,
    badKey: {
      status: 403,
      headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
      body: { message: 'The security token included in the request is invalid.' },
    },
    rateLimit: {
      status: 429,
      headers: { 'x-amzn-errortype': 'ThrottlingException' },
      body: { message: 'Too many tokens, please wait before trying again.' },
    },
  },
];
