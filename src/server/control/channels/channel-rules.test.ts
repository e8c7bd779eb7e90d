import { expect, test } from 'vitest';
import { splitKeys } from './channel-rules.ts';

const ACCOUNT = '{\n  "type": "service_account",\n  "project_id": "p"\n}';
const inOneLine = (project: string): string => JSON.stringify({ project_id: project });

test.each<[string, number, string, string[]]>([
  ['one a line, each once', 1, ' sk-a \n\nsk-b\nsk-a\r\n', ['sk-a', 'sk-b']],
  [
    'with what nobody sees around and inside them',
    1,
    '\uFEFFsk-a\u200B\r\u200B\r\n\u00A0sk-\u200Bb\u2028sk-a\u2060',
    ['sk-a', 'sk-b'],
  ],
  ['a service account as it was downloaded', 41, `${ACCOUNT}\n`, [ACCOUNT]],
  [
    'service accounts, one a line',
    41,
    `${inOneLine('a')}\n${inOneLine('b')}`,
    [inOneLine('a'), inOneLine('b')],
  ],
  ['keys of the express mode', 41, 'AQ.Ab8\nAQ.Ab9', ['AQ.Ab8', 'AQ.Ab9']],
])('keys are told apart: %s', (_, type, text, keys) => {
  expect(splitKeys(type, text)).toEqual(keys);
});

test.each([
  [41, '{"type":'],
  [41, `${inOneLine('a')}\nAQ.Ab8`],
  [41, '[]'],
  [1, ' \n'],
  [1, '\u200B\n\uFEFF'],
])('of type %i is none: %j', (type, text) => {
  expect(() => splitKeys(type, text)).toThrow();
});
