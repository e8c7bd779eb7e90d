import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import { assertOnePlace } from './one-place.ts';

const refused = (fields: Fields): string | undefined => {
  try {
    assertOnePlace(fields);
    return undefined;
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.param : 'something else';
  }
};

test.each<[string, Fields]>([
  ['extra_body.stream', { extra_body: { stream: true } }],
  ['extra_body.stream', { stream: false, extra_body: { stream: true } }],
  ['extra_body.background', { extra_body: { background: true } }],
  ['extraBody.messages', { messages: ['a'], extraBody: { messages: ['b'] } }],
  ['extra_body.extra_body.input', { extra_body: { extra_body: { input: 'b' } } }],
  ['extra_body.Stream', { stream: true, extra_body: { Stream: true } }],
  ['deferred', { deferred: true }],
  ['deferred', { deferred: 'true' }],
  ['extra_body.deferred', { extra_body: { deferred: true } }],
  ['extra_body.ſystem', { extra_body: { ſystem: 'b' } }],
])('%s is refused: %j', (param, fields) => {
  expect(refused(fields)).toBe(param);
});

test.each<[string, Fields]>([
  ['what the request says too', { stream: true, extra_body: { stream: true } }],
  ['what is read there as well', { extra_body: { n: 2, max_tokens: 5, model: 'm' } }],
  ['what only some makers know', { extra_body: { enable_thinking: false, google: { stream: 1 } } }],
  ['an answer that is not to wait', { deferred: false, extra_body: { deferred: false } }],
  ['nothing', {}],
  ['no object', { extra_body: 'stream' }],
])('%s may stand there: %j', (_, fields) => {
  expect(refused(fields)).toBeUndefined();
});
