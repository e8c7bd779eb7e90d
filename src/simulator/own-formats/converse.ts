import { encodeMessage } from '../chats/event-stream.ts';
import { asJson, asList, sendJson, type Call, type Json } from '../wire.ts';

const WORDS = ['All', ' is', ' well', '.'];
const USAGE = { inputTokens: 11, outputTokens: 4, totalTokens: 15 };

const failed = ({ response }: Call, status: number, type: string, message: string): void =>
  sendJson(response, status, { message }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/` });

/** Amazon Bedrock, Converse and ConverseStream (docs.aws.amazon.com/bedrock/latest/APIReference, API_runtime_Converse). */
export const answerConverse = (call: Call): void => {
  const { body, path, request } = call;
  const proof = String(request.headers.authorization);
  if (/invalid|revoked/.test(proof))
    return failed(
      call,
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  if (path.includes('throttled'))
    return failed(call, 429, 'ThrottlingException', 'Too many requests, please wait before trying again.');
  const messages = asList(body['messages']).map(asJson);
  const isSound =
    messages[0]?.['role'] === 'user' &&
    messages.every((message, at) => message['role'] === (at % 2 === 0 ? 'user' : 'assistant')) &&
    messages.every((message) => asList(message['content']).length > 0);
  if (!isSound)
    return failed(
      call,
      400,
      'ValidationException',
      'A conversation must alternate between user and assistant roles.',
    );
  const answered = asList(messages.at(-1)?.['content']).some((block) => 'toolResult' in asJson(block));
  const calls = asList(asJson(body['toolConfig'])['tools']).length > 0 && !answered;
  if (path.endsWith('/converse-stream')) stream(call, calls);
  else whole(call, calls);
};

const TOOL = { toolUseId: 'tooluse_1', name: 'weather' };

const whole = ({ response }: Call, calls: boolean): void => {
  const content: Json[] = [
    { reasoningContent: { reasoningText: { text: 'I look.' } } },
    ...(calls ? [{ toolUse: { ...TOOL, input: { city: 'Paris' } } }] : [{ text: WORDS.join('') }]),
  ];
  sendJson(response, 200, {
    output: { message: { role: 'assistant', content } },
    stopReason: calls ? 'tool_use' : 'end_turn',
    usage: USAGE,
    metrics: { latencyMs: 5 },
  });
};

const framed = (name: string, payload: Json): Buffer =>
  encodeMessage(
    { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ p: 'abcdef', ...payload }),
  );

const stream = ({ response, path }: Call, calls: boolean): void => {
  const delta = (contentBlockIndex: number, change: Json): Buffer =>
    framed('contentBlockDelta', { contentBlockIndex, delta: change });
  const answered = calls
    ? [
        framed('contentBlockStart', { contentBlockIndex: 1, start: { toolUse: TOOL } }),
        ...['{"city"', ':"Paris"}'].map((input) => delta(1, { toolUse: { input } })),
      ]
    : WORDS.map((text) => delta(1, { text }));
  const exception = encodeMessage(
    { ':message-type': 'exception', ':exception-type': 'throttlingException' },
    '{"message":"Too many tokens, please wait before trying again."}',
  );
  const end = [
    framed('contentBlockStop', { contentBlockIndex: 1 }),
    framed('messageStop', { stopReason: calls ? 'tool_use' : 'end_turn' }),
    framed('metadata', { usage: USAGE, metrics: { latencyMs: 5 } }),
  ];
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  response.end(
    Buffer.concat([
      framed('messageStart', { role: 'assistant' }),
      delta(0, { reasoningContent: { text: 'I look.' } }),
      framed('contentBlockStop', { contentBlockIndex: 0 }),
      ...answered,
      ...(path.includes('breaks') ? [exception] : end),
    ]),
  );
};
