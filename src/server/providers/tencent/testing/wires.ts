import { lookAlike } from '../../testing/openai-like.ts';
import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  events,
  json,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  type Wire,
  WORDS,
} from '../../testing/wire.ts';

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

export const wires: readonly Wire[] = [
  lookAlike({
    type: 23,
    name: 'Tencent TokenHub',
    reference: 'cloud.tencent.com/document/product/1823: API 协议说明, 错误码 (131595)',
    thoughts: 'reasoning_content',
    badKey: {
      status: 401,
      body: {
        error: {
          type: 'authentication_error',
          code: '401002',
          message: 'invalid api key',
          source: 'client',
          request_id: 'q-1',
        },
      },
    },
    rateLimit: {
      status: 429,
      body: {
        error: {
          type: 'rate_limit_error',
          code: '429001',
          message: 'rate limit exceeded on dimension: rpm',
          source: 'gateway',
          request_id: 'q-1',
        },
      },
    },
  }),
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
