import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf } from '#core/json/fields.ts';

const names = Object.keys(chatDialects) as DialectName[];

/** An error body of each upstream format. */
const bodies: Readonly<Record<DialectName, (type: string, message: string) => object>> = {
  'openai-chat': (type, message) => ({ error: { message, type, code: null, param: null } }),
  'openai-responses': (type, message) => ({ error: { message, type, code: null, param: null } }),
  'anthropic-messages': (type, message) => ({
    type: 'error',
    error: { type, message },
    request_id: 'req_up',
  }),
  gemini: (type, message) => ({ error: { code: 500, status: type, message } }),
};

const OVERLOADED: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'server_overloaded',
  'openai-responses': 'server_overloaded',
  'anthropic-messages': 'overloaded_error',
  gemini: 'UNAVAILABLE',
};

/** The type of the same error for callers of each format. */
const BUSY: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'server_error',
  'openai-responses': 'server_error',
  'anthropic-messages': 'overloaded_error',
  gemini: 'UNAVAILABLE',
};

const told = (caller: DialectName, upstream: DialectName, status: number, body: unknown) => {
  const written = chatDialects[caller].writeError(chatDialects[upstream].readError(status, body), 'r1');
  const error = fieldsOf(fieldsOf(written.body)['error']);
  return {
    status: written.status,
    message: String(error['message']),
    word: error['status'] ?? error['type'],
  };
};

describe.each(names.flatMap((caller) => names.map((upstream) => [caller, upstream] as const)))(
  'a caller of %s hears of an upstream of %s',
  (caller, upstream) => {
    test('which limit was reached, as a limit', () => {
      const body = bodies[upstream](
        'rate_limit_error',
        'Limit 3 per minute, in organization org-abcdefgh12345',
      );
      const { status, message, word } = told(caller, upstream, 429, body);
      expect(status).toBe(429);
      expect(message).toContain('Limit 3 per minute, in organization [account]');
      expect(word).toBe(caller === 'gemini' ? 'RESOURCE_EXHAUSTED' : 'rate_limit_error');
    });

    test('that it is overloaded, whole and in the middle of a stream', () => {
      const body = bodies[upstream](OVERLOADED[upstream], 'Too busy now');
      const { status, message, word } = told(caller, upstream, 503, body);
      // Google's word is also said of other things that pass.
      const isOverload = caller === 'anthropic-messages' && upstream !== 'gemini';
      expect([status, message.slice(0, 12)]).toEqual([isOverload ? 529 : 503, 'Too busy now']);
      expect(told(caller, upstream, 529, bodies[upstream]('x', 'Too busy now')).status).toBe(
        caller === 'anthropic-messages' ? 529 : 503,
      );
      const inside = chatDialects[upstream].openReader().read({
        raw: Buffer.alloc(0),
        event: 'error',
        data: Buffer.from(JSON.stringify(body)),
      });
      const failed = inside.find((event) => event.type === 'error');
      expect(failed).toMatchObject({ error: { code: 'unavailable', message: 'Too busy now' } });
      expect(word).toBe(BUSY[caller]);
    });

    test('that something is in its way for now, as a conflict', () => {
      const { status, word } = told(caller, upstream, 409, bodies[upstream]('x', 'It is being changed'));
      expect([status, word]).toEqual([
        409,
        { 'anthropic-messages': 'conflict_error', gemini: 'ABORTED' }[String(caller)] ?? 'x',
      ]);
    });

    test('nothing of the account it is asked with', () => {
      for (const [status, type, sentence] of [
        [429, 'insufficient_quota', 'Add credit to your balance'],
        [429, 'RESOURCE_EXHAUSTED', 'Check your plan and billing details'],
        [500, 'api_error', 'Your credit balance is too low'],
        [503, 'new_api_error', '用户余额不足'],
        [401, 'authentication_error', 'nobody knows you'],
      ] as const)
        expect(told(caller, upstream, status, bodies[upstream](type, sentence)).message).not.toContain(
          sentence,
        );
    });
  },
);

test.each([
  [400, 'INVALID_ARGUMENT', 'invalid_request', 'Name a city'],
  [404, 'NOT_FOUND', 'not_found', 'Name a city'],
  [401, 'UNAUTHENTICATED', 'upstream_failed', 'the upstream ended the reply with an error'],
  [403, 'PERMISSION_DENIED', 'upstream_failed', 'the upstream ended the reply with an error'],
  [429, 'RESOURCE_EXHAUSTED', 'rate_limited', 'Name a city'],
  [500, 'INTERNAL', 'upstream_failed', 'Name a city'],
])('a number or a word of Google under status 200 is what it would be as a status: %i', (...expected) => {
  const [code, status, word, message] = expected;
  for (const error of [{ code }, { status }, { code, status }]) {
    const body = { error: { ...error, message: 'Name a city' } };
    expect(chatDialects.gemini.tapWhole(body).error).toMatchObject({ code: word, message });
  }
});
