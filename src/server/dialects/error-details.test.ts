import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf } from '#core/json/fields.ts';

/** The details of an upstream's error beyond type and message, for callers of every format. */

const names = Object.keys(chatDialects) as DialectName[];
const violations = [
  { field: 'contents[0].parts', description: 'empty' },
  { field: 'tools', description: 'too many' },
];
const BAD_REQUEST = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations };

const said: Readonly<Record<DialectName, { readonly error: object; readonly extras: object }>> = {
  'openai-chat': {
    error: { message: 'No.', type: 'invalid_request_error', code: 'content_filter', param: 'prompt' },
    extras: {
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { hate: { filtered: true } },
      },
    },
  },
  'openai-responses': {
    error: { message: 'No.', type: 'invalid_request_error', code: 'bad', param: 'input' },
    extras: { hints: ['one', 'two'] },
  },
  'anthropic-messages': {
    error: { type: 'invalid_request_error', message: 'No.' },
    extras: { details: { error_visibility: 'user_facing', error_code: 'model_not_available' } },
  },
  gemini: {
    error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' },
    extras: { details: [BAD_REQUEST] },
  },
};

const told = (caller: DialectName, upstream: DialectName, status: number, error: object) => {
  const read = chatDialects[upstream].readError(status, { type: 'error', error });
  return chatDialects[caller].writeError(read, 'r1');
};

describe.each(names.flatMap((caller) => names.map((upstream) => [caller, upstream] as const)))(
  'a caller of %s, an upstream of %s',
  (caller, upstream) => {
    const { error, extras } = said[upstream];

    test('what the caller did wrong comes with all that was said of it, under our request id', () => {
      const { status, body } = told(caller, upstream, 400, { ...error, ...extras });
      expect(status).toBe(400);
      const written = fieldsOf(fieldsOf(body)['error']);
      const asDetail =
        upstream === 'gemini'
          ? BAD_REQUEST
          : { '@type': 'type.googleapis.com/google.protobuf.Struct', value: extras };
      const details = { details: expect.arrayContaining([asDetail]) as unknown };
      const beside = caller === 'gemini' ? details : extras;
      expect(written).toMatchObject(beside);
      expect(JSON.stringify(body)).toContain('r1');
      const wordHere = caller === 'gemini' ? written['status'] : written['type'];
      expect(wordHere).toBe(caller === 'gemini' ? 'INVALID_ARGUMENT' : 'invalid_request_error');
    });

    test('nothing of it where the operator is at fault, no key ever, and no more than a person reads', () => {
      const secret = { details: { note: 'key sk-abcdef1234567890 of org-abcdefgh12345' } };
      for (const status of [401, 403, 500]) {
        const { body } = told(caller, upstream, status, { ...error, ...secret });
        expect(JSON.stringify(body)).not.toContain('note');
      }
      const cleaned = JSON.stringify(told(caller, upstream, 400, { ...error, ...secret }).body);
      expect(cleaned).toContain('key [key] of [account]');
      const endless = { details: { note: 'x '.repeat(10_000) } };
      expect(JSON.stringify(told(caller, upstream, 400, { ...error, ...endless }).body).length).toBeLessThan(
        2000,
      );
    });
  },
);

test('the field that Google names is the field other callers hear of', () => {
  const { body } = told('openai-chat', 'gemini', 400, { ...said.gemini.error, ...said.gemini.extras });
  expect(body).toMatchObject({ error: { param: 'contents[0].parts' } });
});

test('what an error is called cannot be overwritten by what stands beside it', () => {
  const { body } = told('anthropic-messages', 'openai-chat', 400, {
    message: 'No.',
    type: 'invalid_request_error',
    request_id: 'theirs',
  });
  expect(body).toMatchObject({ type: 'error', error: { message: 'No.' }, request_id: 'r1' });
});
