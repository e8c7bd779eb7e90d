import { describe, expect, test } from 'vitest';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import { AppError } from '#core/error.ts';
import { redact } from '../redact.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { holdsError, readErrorInside, readUpstreamError } from './error.ts';
import { writeError, writeStreamError } from './write-error.ts';
import { expectInProportion } from '#core/testing/thread-time.ts';

const KEY = 'sk-proj-abcdefghijklmnop1234567890';
const openaiBody = (message: string, beside: Record<string, unknown> = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...beside },
});

describe('an upstream that fails', () => {
  test('the mistakes of the caller keep their words, type, field and code', () => {
    const error = readUpstreamError(
      400,
      openaiBody('Bad banana', { param: 'banana', code: 'unsupported_parameter' }),
    );
    expect(writeError(error, 'req1')).toEqual({
      status: 400,
      body: {
        error: {
          message: 'Bad banana (request id: req1)',
          type: 'invalid_request_error',
          param: 'banana',
          code: 'unsupported_parameter',
        },
      },
    });
    expect(error.upstream).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param: 'banana',
      message: 'Bad banana',
    });
  });

  test.each([
    [400, 'invalid_request', 400],
    [404, 'not_found', 404],
    [413, 'payload_too_large', 413],
    [409, 'conflict', 409],
    [422, 'unprocessable', 422],
    [401, 'upstream_failed', 502],
    [403, 'upstream_failed', 502],
    [402, 'upstream_failed', 502],
    [405, 'upstream_failed', 502],
    [429, 'rate_limited', 429],
    [408, 'upstream_timeout', 504],
    [504, 'upstream_timeout', 504],
    [524, 'upstream_timeout', 504],
    [500, 'upstream_failed', 502],
    [502, 'upstream_failed', 502],
    [501, 'not_implemented', 501],
    [503, 'unavailable', 503],
    [529, 'unavailable', 503],
  ])('status %i becomes %s', (status, code, answered) => {
    const error = readUpstreamError(status, openaiBody('m'));
    expect(error.code).toBe(code);
    expect(error.status).toBe(answered);
    expect(error.upstream?.status).toBe(status);
  });

  test('trouble with the operator’s account is hidden from the caller under any status', () => {
    for (const [status, code] of [
      [429, 'insufficient_quota'],
      [400, 'Arrearage'],
      [400, 'API_KEY_INVALID'],
      [404, 'DeploymentNotFound'],
    ] as const) {
      const error = readUpstreamError(status, openaiBody('pay us', { code }));
      expect(error.code).toBe('upstream_failed');
      expect(error.upstream).toMatchObject({ status, code, message: 'pay us' });
      expect(JSON.stringify(writeError(error, 'r'))).not.toContain('pay us');
      expect(JSON.stringify(writeError(error, 'r'))).not.toContain(code);
    }
  });

  test.each([
    [400, 'organization_on_hold', 'denied'],
    [429, 'contract_spend_limit_reached', 'spent'],
  ])('and so it is where Anthropic says so beside the message: %i %s', (status, code, verdict) => {
    const told = { type: 'invalid_request_error', message: 'pay us', details: { error_code: code } };
    const error = readUpstreamError(status, { type: 'error', error: told });
    expect(error).toMatchObject({ code: 'upstream_failed', upstream: { code, ofAccount: true } });
    expect(keyVerdict(error)).toBe(verdict);
  });

  test('Retry-After is kept where it makes sense', () => {
    expect(readUpstreamError(429, {}, '7').retryAfterSeconds).toBe(7);
    expect(readUpstreamError(429, {}, '0.4').retryAfterSeconds).toBe(1);
    expect(readUpstreamError(429, {}, '99999999').retryAfterSeconds).toBeUndefined();
    expect(readUpstreamError(429, {}, 'soon').retryAfterSeconds).toBeUndefined();
    expect(readUpstreamError(429, {}).retryAfterSeconds).toBeUndefined();
    expect(readUpstreamError(503, {}, '20').retryAfterSeconds).toBe(20);
    expect(readUpstreamError(529, {}, '20').retryAfterSeconds).toBe(20);
    expect(readUpstreamError(500, {}, '20').retryAfterSeconds).toBeUndefined();
  });

  test.each([
    ['OpenAI', { error: { message: 'm', code: 'c' } }],
    ['a text', 'm'],
    ['a bare error', { error: 'm' }],
    ['Mistral', { object: 'error', message: 'm', type: 'x', code: '1000' }],
    ['Jina', { detail: 'm' }],
    ['Cloudflare', { success: false, errors: [{ code: 1, message: 'm' }] }],
    ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'm' } }],
    ['SiliconFlow', { code: 20012, message: 'm', data: null }],
    ['Google', [{ error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT' } }]],
  ])('the error body of %s is understood', (_, body) => {
    expect(readUpstreamError(500, body).upstream?.message).toBe('m');
  });

  test.each<[string, object]>([
    ['FastAPI', {}],
    ['Mistral', { object: 'error', type: 'invalid_request_error', param: null }],
  ])('each field that %s finds wrong is told with its place, the first as the parameter', (maker, around) => {
    const detail = [
      {
        type: 'missing',
        loc: ['body', 'messages', 0, 'content'],
        msg: 'Field required',
        input: { role: 'user' },
      },
      { type: 'extra_forbidden', loc: ['body', 'foo'], msg: 'Extra inputs are not permitted' },
    ];
    const body = maker === 'Mistral' ? { ...around, message: { detail } } : { ...around, detail };
    const error = readUpstreamError(422, body);
    expect([error.message, error.param]).toEqual([
      'messages.0.content: Field required; foo: Extra inputs are not permitted',
      'messages.0.content',
    ]);
  });

  test('web pages, empty bodies and nonsense are read as errors', () => {
    expect(readUpstreamError(502, '<html>bad gateway</html>').upstream?.message).toBe(
      'the upstream answered with a web page',
    );
    for (const body of [undefined, null, 7, [], '', { error: { message: { deep: [1] } } }]) {
      expect(readUpstreamError(400, body).message).not.toBe('');
    }
  });
});

describe('what is never repeated', () => {
  test.each([
    `Incorrect API key provided: ${KEY}.`,
    `Authorization: Bearer ${KEY}`,
    `api_key=${KEY}`,
    `{"apiKey":"${KEY}"}`,
    `key: "AIzaSyA1234567890abcdefghij"`,
    'see https://user:pw@internal.example:8443/v1?key=1',
    'dial tcp 10.0.0.7:8080: refused',
    'AKIAIOSFODNN7EXAMPLE',
    'gsk_abcdefghijklmnop',
    'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl',
  ])('%s', (text) => {
    const clean = redact(`before ${text} after`);
    for (const secret of [
      'abcdefghijklmnop',
      'AIzaSyA',
      'internal.example',
      '10.0.0.7',
      'AKIAIOSF',
      'c2lnbmF0dXJl',
    ])
      expect(clean).not.toContain(secret);
    expect(clean).toContain('before');
  });

  test('a secret that is named is taken out in any shape', () => {
    expect(redact('x my~odd~key y', ['my~odd~key'])).toBe('x [key] y');
  });

  test('at most 2 KB, never half a character', () => {
    const clean = redact('é'.repeat(5000));
    expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(2048);
    expect(clean).not.toContain('\uFFFD');
  });

  test.each(['a://', 'sk-', ' '])('a hostile message of %j costs time in proportion', (part) => {
    expectInProportion(250_000, (parts) => {
      const message = `api key${part.repeat(parts)}`;
      return () => expect(redact(message)).toMatch(/^api /);
    });
  });

  test('type and code of an upstream are cleaned too', () => {
    const { upstream } = readUpstreamError(400, {
      error: { message: 'm', code: `bad_${KEY}`, param: KEY, type: KEY },
    });
    expect(JSON.stringify(upstream)).not.toContain('abcdefghijklmnop');
  });
});

describe('an error without a status', () => {
  test.each([
    [{ error: { type: 'rate_limit_error', message: 'slow down' } }, 'rate_limited'],
    [{ error: { code: 'rate_limit_exceeded', message: 'slow down' } }, 'rate_limited'],
    [{ base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'rate_limited'],
    [{ error: { type: 'server_error', message: 'rate limit' } }, 'upstream_failed'],
    [{ base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'upstream_failed'],
    // The status that the answer would have had: OpenRouter, vLLM.
    [{ error: { code: 400, message: 'Token limit reached' } }, 'invalid_request'],
    [{ object: 'error', message: 'no such model', code: 404 }, 'not_found'],
    [{ error: { code: 413, message: 'too long' } }, 'payload_too_large'],
    [{ error: { code: 401, message: 'No auth credentials found' } }, 'upstream_failed'],
    [{ error: { code: 403, message: 'not for you' } }, 'upstream_failed'],
    [{ error: { code: 502, message: 'Provider disconnected' } }, 'upstream_failed'],
    [{ error: { code: 1210, message: 'no status at all' } }, 'upstream_failed'],
  ])('%j is %s by its words', (body, code) => {
    expect(readErrorInside(body).code).toBe(code);
  });
});

describe('an account without money is the operator’s problem, whatever the status', () => {
  test.each<object>([
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    { error: { message: '[sk-ab***cd] 该令牌额度已用尽', type: 'invalid_request_error' } },
    { error: { message: '用户余额不足', code: 'invalid_request' } },
    { error: { message: 'Your credit balance is too low to use the API', type: 'invalid_request_error' } },
    { error: { message: 'You exceeded your current quota, please check your plan', code: 'bad_request' } },
    { error: { message: 'no money', type: 'billing_error' } },
    { error: { message: 'no money', code: 'insufficient_balance' } },
    { code: 30001, message: 'Sorry, your account balance is insufficient', data: null },
    { success: false, error_msg: 'insufficient credits', data: null },
    {
      error: {
        message: 'Budget has been exceeded! Current cost: 1.2, Max budget: 1',
        type: 'budget_exceeded',
      },
    },
    { error: { message: 'ExceededTokenBudget: Current spend for token: 1.2', code: '400' } },
    { errcode: 7, errmsg: '账户欠费', data: null },
  ])('%j', (body) => {
    expect(holdsError(fieldsOf(body))).toBe(true);
    for (const error of [readErrorInside(body), readUpstreamError(400, body)]) {
      expect(error.code).toBe('upstream_failed');
      expect(error.upstream?.ofAccount).toBe(true);
      expect(error.message).not.toMatch(/balance|quota|credit|余额|额度|欠费|money|cost|spend/i);
    }
  });

  test('but not Google’s message for a limit by the minute', () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    expect(readUpstreamError(429, { error: { code: 429, message } }).code).toBe('rate_limited');
  });

  test.each([
    "the text 'insufficient balance' is not allowed",
    'unknown tool `insufficient_quota`: declare it first',
    'messages: "your credit balance is too low" was filtered',
  ])('but not where an upstream repeats what a caller wrote: %s', (message) => {
    const body = { error: { message, type: 'invalid_request_error' } };
    expect(readErrorInside(body)).toMatchObject({ code: 'invalid_request', message });
    expect(readUpstreamError(400, body)).toMatchObject({ code: 'invalid_request', message });
  });

  test.each<object>([{ data: [] }, { data: null, usage: {} }, { choices: [], message: 'ok' }])(
    '%j is no error',
    (body) => {
      expect(holdsError(fieldsOf(body))).toBe(false);
    },
  );
});

describe('errors of our own', () => {
  test('each code has its type', () => {
    const typeOf = (error: AppError) =>
      (writeError(error, 'r').body as { error: { type: string; code: string } }).error;
    expect(typeOf(new AppError('unauthenticated', 'm'))).toMatchObject({
      type: 'authentication_error',
      code: 'unauthenticated',
    });
    expect(typeOf(new AppError('no_channel', 'm', { reason: 'model_not_found' }))).toMatchObject({
      type: 'server_error',
      code: 'model_not_found',
    });
  });

  test('in a stream it is an event and the end', () => {
    const text = writeStreamError(new AppError('upstream_timeout', 'too slow'), 'r1').toString();
    expect(text).toMatch(
      /^data: \{"error":\{"message":"too slow \(request id: r1\)".*\}\n\ndata: \[DONE\]\n\n$/,
    );
  });
});
