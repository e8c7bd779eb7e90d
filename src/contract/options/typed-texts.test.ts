import { expect, it } from 'vitest';
import { isOptionKey, optionRow, optionTable } from '../options.ts';
import { withoutBlanks } from './option.ts';

/** What people paste and type into single lines is understood, or refused: never stored and then of no use. */

const read = (key: string, text: string): unknown =>
  isOptionKey(key) ? optionRow(key).schema.parse(text) : undefined;

it('ids and keys that services gave lose the blanks they were pasted with; a password keeps its own', () => {
  const secrets = Object.keys(optionTable).filter(
    (key) => isOptionKey(key) && optionRow(key).secret === true,
  );
  const ids = [
    'EpayId',
    'GitHubClientId',
    'discord.client_id',
    'TurnstileSiteKey',
    'TelegramBotName',
    'SMTPAccount',
  ];
  for (const key of [...secrets, ...ids].filter((one) => one !== 'SMTPToken'))
    expect([key, read(key, ' a-1 \n')]).toEqual([key, 'a-1']);
  expect(read('SMTPToken', ' a-1 ')).toBe(' a-1 ');
});

it.each(['a.com,b.com', '@a.com；@b.com', 'a.com，b.com', ' a.com\r\nb.com ', 'a.com、 b.com'])(
  'allowed domains are read as they are typed: %j',
  (typed) => {
    expect(String(read('EmailDomainWhitelist', typed)).split(',').filter(Boolean)).toEqual([
      'a.com',
      'b.com',
    ]);
  },
);

it('a domain that no address can have is refused', () => {
  const { schema, taken } = optionTable.EmailDomainWhitelist;
  const isTaken = (text: string) => taken?.safeParse(schema.parse(text)).success;
  expect(['a.com', '', 'a.com,', '*.a.com', 'a@b.com', 'https://a.com'].map(isTaken)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('the site always has a name, in one line', () => {
  expect(['', ' ', ' My\n  site '].map((typed) => read('SystemName', typed))).toEqual([
    'Tollgate',
    'Tollgate',
    'My site',
  ]);
});

it.each([
  ['ModelRatio', '{" gpt-4o\\n": 1, "o1": 2}', '{"gpt-4o":1,"o1":2}'],
  ['ModelRatio', '{ "gpt-4o": 1 }', '{ "gpt-4o": 1 }'],
  ['ModelRatio', '{" a": 1, "a": 2}', '{"a":1,"a":2}'],
  ['global.model_aliases', '{"fast ": "\\tgpt-4o "}', '{"fast":"gpt-4o"}'],
  ['upstream_setting.first_token', '{"a ": {"deadline_ms": 50}}', '{"a":{"deadline_ms":50}}'],
  ['gemini.supported_imagine_models', '["a ", "b"]', '["a","b"]'],
  ['PriceDimensions', '{"a": {" tiers": {"flex ": 2}}}', '{"a":{"tiers":{"flex":2}}}'],
  ['PriceDimensions', '{"a": {" tiers": {}, "tiers": {}}}', '{"a":{"tiers":{},"tiers":{}}}'],
  [
    'routing_setting.choice',
    '{"models": {" m": "fastest "}, "groups": {" g": {"n ": "session"}}}',
    '{"models":{"m":"fastest"},"groups":{" g":{"n":"session"}}}',
  ],
  ['GroupRatio', '{" a": 1}', '{" a": 1}'],
  ['SystemName', ' a ', ' a '],
] as const)('names of models in %s are settled: %s', (key, typed, settled) => {
  expect(withoutBlanks(optionRow(key), typed)).toBe(settled);
});
