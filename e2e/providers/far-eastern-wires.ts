import { lookAlike, openaiError, openaiList } from './openai-like.ts';
import type { Wire } from './wire.ts';

/** OpenAI-compatible chats of Chinese providers, each with its differences. */
export const farEasternWires: readonly Wire[] = [
  lookAlike({
    type: 16,
    name: 'Zhipu',
    reference: 'docs.bigmodel.cn, chat completions; error codes',
    chat: '/api/paas/v4/chat/completions',
    usage: 'last-piece',
    thoughts: 'reasoning_content',
    badKey: { status: 401, body: { error: { code: '1000', message: '身份验证失败' } } },
    rateLimit: { status: 429, body: { error: { code: '1302', message: '您当前使用该API的并发数过高' } } },
  }),
  lookAlike({
    type: 26,
    name: 'Zhipu v4',
    reference: 'docs.bigmodel.cn, chat completions; error codes',
    chat: '/api/paas/v4/chat/completions',
    usage: 'last-piece',
    // An empty account is refused with the status of a rate limit.
    badKey: { status: 429, body: { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } } },
    rateLimit: { status: 429, body: { error: { code: '1305', message: '该模型当前访问量过大' } } },
  }),
  lookAlike({
    type: 17,
    name: 'Alibaba',
    reference: 'help.aliyun.com/zh/model-studio, compatibility with OpenAI; error code',
    chat: '/compatible-mode/v1/chat/completions',
    badKey: {
      status: 401,
      body: {
        error: {
          message: 'Incorrect API key provided.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
        request_id: 'r-1',
      },
    },
    rateLimit: openaiError(
      429,
      'Requests rate limit exceeded, please try again later.',
      'LimitRequests',
      'LimitRequests',
    ),
  }),
  lookAlike({
    type: 18,
    name: 'iFlytek Spark',
    reference: 'www.xfyun.cn/doc/spark/HTTP调用文档.html',
    // Keys with three parts use WebSockets; spark-socket.test.ts tests them.
    key: 'the-password',
    model: 'generalv3.5',
    models: false,
    usage: 'last-piece',
    beside: { code: 0, message: 'Success', sid: 'cha000' },
    badKey: {
      status: 401,
      body: { message: 'HMAC signature cannot be verified: fail to retrieve credential' },
    },
    rateLimit: {
      status: 429,
      body: { error: { message: 'AppIdQpsOverFlowError:(授权错误)', type: 'api_error', code: '11202' } },
    },
  }),
  lookAlike({
    type: 19,
    name: '360',
    reference: 'ai.360.com/open, chat completions',
    badKey: {
      status: 401,
      body: { error: { code: '1001', message: 'invalid api key', type: 'auth_error' } },
    },
    rateLimit: { status: 429, body: { error: { code: '1006', message: 'too many requests' } } },
  }),
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
  lookAlike({
    type: 25,
    name: 'Moonshot',
    reference: 'platform.moonshot.cn/docs/api/chat',
    usage: 'choice',
    badKey: openaiError(
      429,
      'Your account is suspended, please check your plan and billing details',
      'exceeded_current_quota_error',
    ),
    rateLimit: openaiError(429, 'max request per minute reached: 3', 'rate_limit_reached_error'),
  }),
  lookAlike({
    type: 31,
    name: '01.AI',
    reference: 'platform.lingyiwanwu.com/docs/api-reference',
    usage: 'last-piece',
    badKey: { status: 401, body: { error: { code: 'invalid_api_key', message: 'incorrect API key' } } },
    rateLimit: openaiError(429, 'Rate limit reached', 'rate_limit_exceeded'),
  }),
  lookAlike({
    type: 35,
    name: 'MiniMax',
    reference: 'platform.minimaxi.com/document, text chat; error codes',
    beside: { base_resp: { status_code: 0, status_msg: '' } },
    usage: 'last-piece',
    // Errors come with status 200.
    badKey: {
      status: 200,
      body: { base_resp: { status_code: 1004, status_msg: 'login fail: Please carry the API secret key' } },
    },
    rateLimit: { status: 200, body: { base_resp: { status_code: 1002, status_msg: 'rate limit' } } },
  }),
  lookAlike({
    type: 40,
    name: 'SiliconCloud',
    reference: 'docs.siliconflow.cn, chat completions; error codes',
    usage: 'last-piece',
    thoughts: 'reasoning_content',
    badKey: { status: 401, body: 'Invalid token' },
    rateLimit: {
      status: 429,
      body: { message: 'Request was rejected due to rate limiting. Details: TPM limit reached.', data: null },
    },
  }),
  lookAlike({
    type: 43,
    name: 'DeepSeek',
    reference: 'api-docs.deepseek.com, chat completion; error codes',
    thoughts: 'reasoning_content',
    comment: 'keep-alive',
    badKey: openaiError(402, 'Insufficient Balance', 'unknown_error', 'invalid_request_error'),
    rateLimit: openaiError(429, 'Rate limit reached', 'rate_limit_error'),
  }),
  lookAlike({
    type: 45,
    name: 'Volcengine',
    reference: 'www.volcengine.com/docs/82379, ChatCompletions; error codes',
    chat: '/api/v3/chat/completions',
    thoughts: 'reasoning_content',
    badKey: {
      status: 403,
      body: {
        error: {
          code: 'AccountOverdueError',
          message: 'The request failed because your account has an overdue balance.',
          param: '',
          type: 'Forbidden',
        },
      },
    },
    rateLimit: openaiError(
      429,
      'Requests to the model have exceeded its limit of requests per minute.',
      'TooManyRequests',
      'RateLimitExceeded.EndpointRPMExceeded',
    ),
  }),
  lookAlike({
    type: 46,
    name: 'Baidu v2',
    reference: 'cloud.baidu.com/doc/qianfan-api, chat completions; error codes',
    chat: '/v2/chat/completions',
    usage: 'last-piece',
    badKey: {
      status: 401,
      body: {
        error: {
          code: 'invalid_iam_token',
          message: 'IAM Certification failed',
          type: 'invalid_request_error',
        },
        id: 'as-1',
      },
    },
    rateLimit: {
      status: 429,
      body: { error: { code: 'rpm_rate_limit_exceeded', message: 'Rate limit reached for RPM' }, id: 'as-1' },
    },
    models: openaiList('/v2/models'),
  }),
  lookAlike({
    type: 47,
    name: 'Xinference',
    reference: 'inference.readthedocs.io, OpenAI compatibility; simple OAuth2',
    usage: 'own-piece',
    badKey: { status: 401, body: { detail: 'Could not validate credentials' } },
    rateLimit: { status: 429, body: { detail: 'Rate limit reached for the model' } },
  }),
  lookAlike({
    type: 22,
    name: 'FastGPT',
    reference: 'doc.fastgpt.io, OpenAPI chat',
    key: 'fastgpt-1-app1',
    models: false,
    beside: { responseData: [{ moduleName: 'AI Chat' }], newVariables: {} },
    badKey: {
      status: 500,
      body: {
        code: 514,
        statusText: 'unAuthApiKey',
        message: 'common:code_error.error_code.514',
        data: null,
      },
    },
    rateLimit: { status: 429, body: { code: 429, statusText: 'tooManyRequest', message: '', data: null } },
  }),
];
