import { createHash, createHmac } from 'node:crypto';
import { asJson, asList, event, sendJson, startStream, type Call, type Json } from '../wire.ts';

const WORDS = ['All', ' is', ' well', '.'];

const named = (name: string, data: Json): string =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;

/** Cohere, chat of the second version (docs.cohere.com/reference/chat). */
export const answerCohere = (call: Call): void => {
  const { body, response } = call;
  const roles = asList(body['messages']).map((message) => asJson(message)['role']);
  if (roles.length === 0 || body['n'] !== undefined)
    return sendJson(response, 400, { id: 'e-1', message: 'invalid request: messages are required' });
  const calls = asList(body['tools']).length > 0 && roles.at(-1) !== 'tool';
  const usage = {
    billed_units: { input_tokens: 11, output_tokens: 4 },
    tokens: { input_tokens: 90, output_tokens: 9 },
  };
  const finish = calls ? 'TOOL_CALL' : 'COMPLETE';
  const tool = {
    id: 'weather_1',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Paris"}' },
  };
  if (body['stream'] !== true)
    return sendJson(response, 200, {
      id: 'r-1',
      message: {
        role: 'assistant',
        ...(calls
          ? { tool_plan: 'I will look.', tool_calls: [tool] }
          : { content: [{ type: 'text', text: WORDS.join('') }] }),
      },
      finish_reason: finish,
      usage,
    });
  const answered = calls
    ? [
        named('tool-plan-delta', { delta: { message: { tool_plan: 'I will look.' } } }),
        named('tool-call-start', {
          index: 0,
          delta: { message: { tool_calls: { ...tool, function: { name: 'weather', arguments: '' } } } },
        }),
        ...['{"city"', ':"Paris"}'].map((piece) =>
          named('tool-call-delta', {
            index: 0,
            delta: { message: { tool_calls: { function: { arguments: piece } } } },
          }),
        ),
        named('tool-call-end', { index: 0 }),
      ]
    : [
        named('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } }),
        ...WORDS.map((text) =>
          named('content-delta', { index: 0, delta: { message: { content: { text } } } }),
        ),
        named('content-end', { index: 0 }),
      ];
  startStream(response);
  response.end(
    [
      named('message-start', { id: 'r-1', delta: { message: { role: 'assistant' } } }),
      ...answered,
      named('message-end', { delta: { finish_reason: finish, usage } }),
      'data: [DONE]\n\n',
    ].join(''),
  );
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether a call is signed as Tencent Cloud wants it (signature v3), with the secret `secret-key` of `secret-id`. */
const isSigned = (call: Call, raw: string): boolean => {
  const { headers } = call.request;
  const timestamp = String(headers['x-tc-timestamp']);
  const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${headers['content-type'] ?? ''}`,
    `host:${headers.host ?? ''}`,
    '',
    'content-type;host',
    sha256(raw),
  ].join('\n');
  const scope = `${day}/hunyuan/tc3_request`;
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac('TC3secret-key', day), 'hunyuan'), 'tc3_request');
  const proof = `Credential=secret-id/${scope}, SignedHeaders=content-type;host, Signature=${hmac(key, text).toString('hex')}`;
  return headers.authorization === `TC3-HMAC-SHA256 ${proof}`;
};

/** Tencent Hunyuan, ChatCompletions (cloud.tencent.com/document/product/1729/105701). `raw` is what was signed. */
export const answerTencent = (call: Call, raw: string): void => {
  const { body, response } = call;
  const failed = (code: string, message: string): void =>
    sendJson(response, 200, { Response: { RequestId: 'q-1', Error: { Code: code, Message: message } } });
  if (!isSigned(call, raw))
    return failed('AuthFailure.SignatureFailure', 'The provided credentials could not be validated.');
  const roles = asList(body['Messages']).map((message) => asJson(message)['Role']);
  if (roles.length === 0) return failed('InvalidParameter', 'Messages must not be empty');
  const calls = asList(body['Tools']).length > 0 && roles.at(-1) !== 'tool';
  const tool = {
    Index: 0,
    Id: 'call_1',
    Type: 'function',
    Function: { Name: 'weather', Arguments: '{"city":"Paris"}' },
  };
  const head = { Note: 'simulated', Created: 1_767_225_600, Id: 'h-1' };
  const usage = { PromptTokens: 11, CompletionTokens: 4, TotalTokens: 15 };
  const finish = calls ? 'tool_calls' : 'stop';
  if (body['Stream'] !== true) {
    const answered = calls ? { Content: '', ToolCalls: [tool] } : { Content: WORDS.join('') };
    const choice = { Index: 0, FinishReason: finish, Message: { Role: 'assistant', ...answered } };
    return sendJson(response, 200, {
      Response: { ...head, RequestId: 'q-1', Choices: [choice], Usage: usage },
    });
  }
  const deltas = calls ? [{ Content: '', ToolCalls: [tool] }] : WORDS.map((Content) => ({ Content }));
  startStream(response);
  response.end(
    [...deltas, { Content: '' }]
      .map((delta, at) =>
        event({
          ...head,
          Choices: [
            { FinishReason: at === deltas.length ? finish : '', Delta: { Role: 'assistant', ...delta } },
          ],
          Usage: { ...usage, CompletionTokens: Math.min(at + 1, 4), TotalTokens: 11 + Math.min(at + 1, 4) },
        }),
      )
      .join(''),
  );
};
