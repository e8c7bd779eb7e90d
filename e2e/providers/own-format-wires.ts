import { encodeMessage } from '../../src/simulator/chats/event-stream.ts';
import { awsSigned } from './known-format-wires.ts';
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

const coherePage = ({ calls, stream }: Question): Page => {
  const tool = { id: 'weather_1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };
  const usage = { billed_units: { input_tokens: PROMPT_TOKENS, output_tokens: COMPLETION_TOKENS } };
  const finish = calls ? 'TOOL_CALL' : 'COMPLETE';
  if (!stream) {
    const said = calls ? { tool_calls: [tool] } : { content: [{ type: 'text', text: TEXT }] };
    return json({ id: 'r-1', message: { role: 'assistant', ...said }, finish_reason: finish, usage });
  }
  const deltas: (readonly [string, Json])[] = calls
    ? [
        ['tool-call-start', { tool_calls: { ...tool, function: { name: 'get_weather', arguments: '' } } }],
        ['tool-call-delta', { tool_calls: { function: { arguments: ARGUMENTS } } }],
      ]
    : WORDS.map((text) => ['content-delta', { content: { text } }]);
  return namedEvents(
    [
      ['message-start', { id: 'r-1', delta: { message: { role: 'assistant' } } }] as const,
      ...deltas.map(([name, message]) => [name, { index: 0, delta: { message } }] as const),
      ['message-end', { delta: { finish_reason: finish, usage } }] as const,
    ].map(([name, data]) => [name, { type: name, ...data }]),
  );
};

const tencentPage = ({ calls, stream }: Question): Page => {
  const tool = {
    Index: 0,
    Id: 'call_1',
    Type: 'function',
    Function: { Name: 'get_weather', Arguments: ARGUMENTS },
  };
  const usage = { PromptTokens: PROMPT_TOKENS, CompletionTokens: COMPLETION_TOKENS, TotalTokens: 15 };
  const finish = calls ? 'tool_calls' : 'stop';
  if (!stream) {
    const message = calls ? { Content: '', ToolCalls: [tool] } : { Content: TEXT };
    const choice = { Index: 0, FinishReason: finish, Message: { Role: 'assistant', ...message } };
    return json({ Response: { Id: 'h-1', RequestId: 'q-1', Choices: [choice], Usage: usage } });
  }
  const deltas = calls ? [{ Content: '', ToolCalls: [tool] }] : WORDS.map((Content) => ({ Content }));
  return events(
    ...[...deltas, { Content: '' }].map((delta, at) => ({
      Id: 'h-1',
      Choices: [{ FinishReason: at === deltas.length ? finish : '', Delta: { Role: 'assistant', ...delta } }],
      Usage: usage,
    })),
  );
};

/** Upstreams with their own format that call tools. */
export const ownFormatWires: readonly Wire[] = [
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
  {
    type: 34,
    name: 'Cohere',
    reference: 'docs.cohere.com/reference/chat; errors; list-models',
    key: 'co-1',
    model: 'command-a-03-2025',
    chat: '/v2/chat',
    headers: { authorization: 'Bearer co-1' },
    asks: {
      model: 'command-a-03-2025',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Is all well?' }],
    },
    answer: coherePage,
    offersTools: true,
    tellsUsage: true,
    badKey: { status: 401, body: { id: 'e-1', message: 'invalid api token' } },
    rateLimit: {
      status: 429,
      body: { message: 'You are using a Trial key, which is limited to 20 API calls.' },
    },
    models: {
      path: '/v1/models?page_size=1000',
      body: { models: [{ name: 'command-a-03-2025', endpoints: ['chat'] }], next_page_token: '' },
      names: ['command-a-03-2025'],
    },
  },
  {
    type: 23,
    name: 'Tencent',
    reference: 'cloud.tencent.com/document/product/1729/105701; error codes',
    key: '1|secret-id|secret-key',
    model: 'hunyuan-turbos-latest',
    chat: '/',
    headers: {
      authorization: /^TC3-HMAC-SHA256 Credential=secret-id\/[\d-]{10}\/hunyuan\/tc3_request/,
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
    },
    asks: { Model: 'hunyuan-turbos-latest', Messages: [{ Role: 'user', Content: 'Is all well?' }] },
    answer: tencentPage,
    offersTools: true,
    tellsUsage: true,
    // Errors come with status 200.
    badKey: {
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.SecretIdNotFound', Message: 'The SecretId is not found.' },
          RequestId: 'q-1',
        },
      },
    },
    rateLimit: {
      status: 200,
      body: {
        Response: { Error: { Code: 'LimitExceeded', Message: 'request limit exceeded' }, RequestId: 'q-1' },
      },
    },
  },
];
