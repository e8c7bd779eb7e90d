import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pastedKeys } from './pasted-keys.ts';

const ONE = 'sk-proj-a8Bc9dEf0GhIjKlM';
const TWO = 'AIzaSyD3f7-9kLmN_pQrStUvWx';

const read = (text: string) => pastedKeys(text).keys.map(({ key, label }) => [label, key]);

test.each<[string, string, string]>([
  ['alone', ONE, ''],
  ['in quotes, with a comma', `  "${ONE}",`, ''],
  ['behind its name and a comma', `alice,${ONE}`, 'alice'],
  ['behind its name and a tab', `Team frontend\t${ONE}`, 'Team frontend'],
  ['behind its name and a colon', `alice: ${ONE}`, 'alice'],
  ['before its name', `${ONE}  alice of sales`, 'alice of sales'],
  ['before a remark', `${ONE}   # bought in May`, 'bought in May'],
  ['before a remark of another kind', `${ONE} // bought in May`, 'bought in May'],
  ['behind a long name of words', `team-frontend-production-2 ${ONE}`, 'team-frontend-production-2'],
  ['behind an address', `alice@example.com;${ONE}`, 'alice@example.com'],
  ['in a row of account, password and key', `a@b.example----Passw0rd!----${ONE}`, 'a@b.example'],
  ['as a setting', `export OPENAI_API_KEY="${ONE}"`, 'OPENAI_API_KEY'],
  ['of its parts', `us east, AKIA1234|secret/of+it|us-east-1`, 'us east'],
])('a key is read %s', (_, line, label) => {
  const key = line.includes('AKIA') ? 'AKIA1234|secret/of+it|us-east-1' : ONE;
  expect(read(line)).toEqual([[label, key]]);
  expect(read(`${line}\n${TWO}`)).toEqual([
    [label, key],
    ['', TWO],
  ]);
});

test.each([
  'Bearer KEY',
  '  bearer \t KEY  ',
  '"Bearer KEY",',
  "'Bearer KEY';",
  'Bearer "KEY",',
  '`Bearer KEY,`',
  'Authorization: Bearer KEY',
  '"Authorization": "Bearer KEY",',
  "-H 'Authorization: Bearer KEY'",
  '["Bearer KEY"]',
  'Bearer KEY\r\n',
])('a key is sent without the Bearer that was pasted with it: %s', (typed) => {
  for (const key of [ONE, ...(typed.startsWith('-') ? [] : ['sk-a', 'id|secret=='])])
    expect(pastedKeys(typed.replace('KEY', key)).keys.map((one) => one.key)).toEqual([key]);
});

test('each line may have a Bearer, which is nobody’s name', () => {
  expect(read(`Bearer ${ONE}\nalice: "Bearer ${TWO}"\nMY_KEY="Bearer ${ONE}2"`)).toEqual([
    ['', ONE],
    ['alice', TWO],
    ['MY_KEY', `${ONE}2`],
  ]);
  expect(read('Bearer')).toEqual([['', 'Bearer']]);
  const account = '{"note":"Bearer x","client_email":"a@b.example"}';
  expect(read(account)).toEqual([['', account]]);
});

test('no word of a password becomes a name', () => {
  expect(JSON.stringify(read(`a@b.example----hunter2----x----${ONE}`))).not.toContain('hunter2');
});

test('remarks and titles are left out, and counted', () => {
  const text = `# keys of May\nname,key\nalice,${ONE}\n\n// the rest\n${TWO}`;
  expect(pastedKeys(text)).toEqual({
    keys: [
      { key: ONE, label: 'alice' },
      { key: TWO, label: '' },
    ],
    repeated: 0,
    remarks: 3,
  });
});

test('a repeated key keeps its first name', () => {
  expect(pastedKeys(`${ONE}\nalice,${ONE}\nbob,${ONE}`)).toEqual({
    keys: [{ key: ONE, label: 'alice' }],
    repeated: 2,
    remarks: 0,
  });
});

test('a JSON list is read as its keys', () => {
  expect(read(JSON.stringify([ONE, TWO], undefined, 2))).toEqual([
    ['', ONE],
    ['', TWO],
  ]);
});

test.each([
  ['two keys', `${TWO}\n${ONE} ${TWO}`, 2],
  ['no key', `${ONE}\r\n\r\nnothing to see`, 3],
])('a line of %s is refused by its line number, without its content', (_, text, line) => {
  const values = { line };
  expect(() => read(text)).toThrow(expect.objectContaining({ reason: 'channel_key_line', values }) as Error);
  expect(() => read(text)).not.toThrow(/sk-proj|AIza|nothing/);
});

test('plain words are a key, because a private upstream may use any', () => {
  expect(read('open sesame')).toEqual([['', 'open sesame']]);
  expect(read('sk-a')).toEqual([['', 'sk-a']]);
});

test('whatever stands on a line, no key has an end in white space, and no name is longer than it may be', () => {
  const line = fc.string({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(line, (text) => {
      let keys: ReturnType<typeof pastedKeys>['keys'] = [];
      try {
        ({ keys } = pastedKeys(text));
      } catch {
        return;
      }
      for (const { key, label } of keys) {
        expect(key).toBe(key.trim());
        expect(key).not.toBe('');
        expect(label.length).toBeLessThanOrEqual(64);
      }
    }),
  );
});
