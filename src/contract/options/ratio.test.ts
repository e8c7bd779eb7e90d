import { describe, expect, test } from 'vitest';
import { issuePath, issuePhrase } from '../issue-phrase.ts';
import { optionRow } from '../options.ts';

const { schema } = optionRow('ModelRatio');
/** What is wrong with a table, and where. */
const wrongWith = (text: string): unknown => {
  const [issue] = schema.safeParse(text).error?.issues ?? [];
  return issue === undefined ? undefined : [issuePath(issue), issuePhrase(issue)];
};

describe('a table of prices', () => {
  test('is names and numbers, or nothing', () => {
    const table = {
      'gpt-4o': 1.25,
      free: 0,
      dear: 1_000_000,
      toString: 1,
      ['n'.repeat(255)]: 0.000_000_000_001,
    };
    expect(schema.parse(JSON.stringify(table))).toEqual(table);
    expect([schema.parse(''), schema.parse('{}')]).toEqual([{}, {}]);
  });

  test.each([
    ['{"a":1,"b":"1"}', ['b', { key: 'issue_number' }]],
    ['{"a":-1}', ['a', { key: 'issue_least', values: { bound: '0' } }]],
    ['{"a":1000001}', ['a', { key: 'issue_most', values: { bound: '1000000' } }]],
    ['{"a":1e999}', ['a', { key: 'issue_number' }]],
    ['{"a":null}', ['a', { key: 'issue_number' }]],
    ['[1]', ['', { key: 'issue_object' }]],
    ['null', ['', { key: 'issue_object' }]],
    ['1', ['', { key: 'issue_object' }]],
  ])('%s is refused by what is wrong', (text, expected) => {
    expect(wrongWith(text)).toEqual(expected);
  });

  test.each(['{"":1}', `{"${'n'.repeat(256)}":1}`, '{'])('is refused (%#)', (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });

  test('that is longer than what is taken now, and was stored before, is read', () => {
    const names = Array.from(
      { length: 30_000 },
      (_, n) => [`model-${String(n).padStart(20, '0')}`, n] as const,
    );
    const table = Object.fromEntries(names);
    const text = JSON.stringify(table);
    expect(text.length).toBeGreaterThan(optionRow('ModelRatio').takenMaxLength ?? Infinity);
    expect(schema.parse(text)).toEqual(table);
  });
});
