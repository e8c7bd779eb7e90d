import { expect, it } from 'vitest';
import { testCall, wordsOf } from './test-call.ts';

it.each([
  ['chat', '/v1/chat/completions', 'Authorization'],
  ['responses', '/v1/responses', 'Authorization'],
  ['messages', '/v1/messages', 'x-api-key'],
  ['gemini', '/v1beta/models/a%2Fb:generateContent', 'x-goog-api-key'],
] as const)(
  'a program of the format %s is tested at its own address, with its own header',
  (format, path, header) => {
    const call = testCall(format, 'sk-1', 'a/b');
    expect(call.path).toBe(path);
    expect(call.headers[header]).toMatch(/sk-1$/);
  },
);

it.each([
  [{ choices: [{ message: { content: 'hello' } }] }, 'hello'],
  [
    { output: [{ content: undefined }, { content: [{ text: 'hel' }, { text: 'lo' }] }], error: null },
    'hello',
  ],
  [{ type: 'message', content: [{ type: 'text', text: 'hello' }] }, 'hello'],
  [{ candidates: [{ content: { parts: [{ text: 'hello' }] } }] }, 'hello'],
  [{ type: 'error', error: { type: 'api_error', message: 'no' } }, 'no'],
  [{ choices: [{ message: { content: null } }] }, ''],
])('the text of an answer is found in every format', (answer, words) => {
  expect(wordsOf(answer)).toBe(words);
});
