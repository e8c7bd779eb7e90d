import { expect, it } from 'vitest';
import { keptPhrase, shownText } from './kept-phrase.ts';

it('a kept sentence is read by everybody in their own language, with the sentences inside it', () => {
  const kept = keptPhrase('log_quota_delta', {
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
])('what is no kept sentence stays as it is: %s', (text) => {
  expect(shownText(text, 'zh')).toBe(text);
});
