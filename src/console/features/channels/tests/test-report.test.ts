import { expect, it } from 'vitest';
import { copyOf, reportIn } from './test-report.ts';

const exchange = {
  method: 'POST',
  url: 'https://up.example/v1/chat/completions?key=***',
  proxy: '',
  headers: { authorization: '***' },
  body: '{"model":"m"}',
  status: 503,
  head_ms: 12,
  reply_headers: { 'retry-after': '5' },
  reply: 'busy',
  reply_bytes: 4,
};
const report = {
  upstream_model: 'm',
  format: 'openai-chat',
  first_token_ms: null,
  total_ms: 20,
  input_tokens: 0,
  output_tokens: 0,
  exchanges: [exchange],
};

it('is copied as it was sent, with indented JSON', () => {
  expect(copyOf(report).split('\n')).toEqual([
    'POST https://up.example/v1/chat/completions?key=***',
    'authorization: ***',
    '',
    '{',
    '  "model": "m"',
    '}',
    '',
    'HTTP 503',
    'retry-after: 5',
    '',
    'busy',
  ]);
});

it('is missing if the test did not get that far', () => {
  expect(reportIn({ time: 1 })).toBeUndefined();
  expect(reportIn({ report })).toEqual(report);
});
