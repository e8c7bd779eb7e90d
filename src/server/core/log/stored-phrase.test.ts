import { expect, it } from 'vitest';
import { shownText } from './shown-phrase.ts';
import { storedPhrase } from './stored-phrase.ts';

it('a stored sentence is shown to each reader in their language, nested sentences included', () => {
  const kept = storedPhrase('log_quota_delta', {
    reason: { key: 'log_quota_by', values: { admin: 'root' } },
    units: -5,
  });
  expect(shownText(kept, 'en')).toBe('quota changed by root: by -5 units');
  expect(shownText(kept, 'zh')).toBe('管理员 root 修改额度：变动 -5');
});

it.each([
  'quota for a new user',
  '',
  'USR1NOabc1763735400',
  '{"say":',
  '{"say":7}',
  '{"say":"constructor","values":{}}',
  '{"say":"a sentence of a newer version","values":{}}',
])('a text that is not a stored sentence stays as it is: %s', (text) => {
  expect(shownText(text, 'zh')).toBe(text);
});

it('English has singular and plural', () => {
  const made = (count: number, units: number): string =>
    shownText(storedPhrase('log_codes_made', { count, name: 'spring', units }), 'en');
  expect(made(1, 500)).toBe('made 1 redemption code "spring" of 500 units each');
  expect(made(2, 1)).toBe('made 2 redemption codes "spring" of 1 unit each');
  expect(shownText(storedPhrase('log_codes_made', { count: 1, name: 'spring', units: 1 }), 'zh')).toBe(
    '生成 1 个兑换码“spring”，每个额度 1',
  );
});
