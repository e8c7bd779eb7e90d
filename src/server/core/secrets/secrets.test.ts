import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyParts } from '../channel/keys/key-parts.ts';
import { SecretStream } from './secret-stream.ts';
import { Secrets } from './secrets.ts';

const KEY = 'sk-se/cret+0123456789';
const secrets = new Secrets([KEY]);
const code = (letter: string): number => letter.charCodeAt(0);
const hex = (letter: string, digits: number): string => code(letter).toString(16).padStart(digits, '0');

/** Ways to write one character in JSON, in a URL, in HTML, and nested in each other. */
const WAYS: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => `\\u${hex(letter, 4)}`,
  (letter) => `\\u${hex(letter, 4).toUpperCase()}`,
  (letter) => `\\\\u${hex(letter, 4)}`,
  (letter) => `%${hex(letter, 2)}`,
  (letter) => `%${hex(letter, 2).toUpperCase()}`,
  (letter) => `%25${hex(letter, 2)}`,
  (letter) => `\\u0025${hex(letter, 2)}`,
  (letter) => `&#${String(code(letter))};`,
  (letter) => `&#x${hex(letter, 2)};`,
  (letter) => (letter === '/' ? '\\/' : letter),
];

test('a key has stars in its place wherever it stands, and nothing else has changed', () => {
  const stars = '*'.repeat(KEY.length);
  expect(secrets.maskText(`${KEY} and again "${KEY}"`)).toBe(`${stars} and again "${stars}"`);
});

test('a key is masked however its characters are escaped, and the JSON around it stays valid', () => {
  const escaped = fc.tuple(
    ...KEY.split('').map((letter) => fc.constantFrom(...WAYS).map((write) => write(letter))),
  );
  // Drops characters that could be read as the escape of the first letter.
  const beside = fc.string().map((text) => text.replaceAll(/[\\%&]+$/g, ''));
  fc.assert(
    fc.property(escaped, beside, fc.string(), (letters, before, after) => {
      const rest = [before, after].map((text) => JSON.stringify(text).slice(1, -1));
      const json = `{"said":"${rest[0]}${letters.join('')}${rest[1]}"}`;
      const bytes = Buffer.from(json);
      expect(secrets.holds(bytes)).toBe(true);
      const masked = secrets.mask(Buffer.from(json)).toString();
      expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(json));
      const said = (JSON.parse(masked) as { said: string }).said;
      expect(said.startsWith(before) && said.endsWith(after)).toBe(true);
      expect(said.slice(before.length, said.length - after.length)).toMatch(/^\*+$/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['base64', (text: string) => Buffer.from(text).toString('base64')],
  ['base64 behind something else', (text: string) => Buffer.from(`me:${text}`).toString('base64')],
  ['base64 of addresses', (text: string) => Buffer.from(`x${text}`).toString('base64url')],
  ['hexadecimal', (text: string) => Buffer.from(text).toString('hex')],
])('a key in %s is masked', (_, write) => {
  const written = write(KEY);
  const masked = secrets.maskText(`before ${written} after`);
  expect(masked).toMatch(/^before .{0,6}\*{20,}.{0,6} after$/);
});

test('a text without the key stays as it is, whatever it escapes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('\\', 'u', '0', '2', 'b', '%', '&', '#', 's', 'k', '-', '/') }),
      (text) => {
        expect(secrets.maskText(text)).toBe(text);
      },
    ),
  );
});

test('a key has at least eight characters: a shorter one would be found everywhere', () => {
  expect(new Secrets(keyParts('a2345678')).maskText('a2345678')).toBe('********');
  expect(new Secrets(keyParts('a234567')).maskText('a234567')).toBe('a234567');
});

const PEM_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
test.each([
  [
    'AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY|us-east-1',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  ],
  [
    '5f3b2a1c|0123456789abcdef0123456789abcdef|fedcba9876543210fedcba9876543210',
    'fedcba9876543210fedcba9876543210',
  ],
  ['9f86d081884c7d659a2feaa0c55ad015.a3bf4f1b2b0b822cd', 'a3bf4f1b2b0b822cd'],
  [
    JSON.stringify({
      private_key: `-----BEGIN PRIVATE KEY-----\n${PEM_LINE}\n-----END PRIVATE KEY-----\n`,
      type: 'service_account',
    }),
    PEM_LINE,
  ],
])('of a key of several parts each is one: %s', (key, part) => {
  expect(new Secrets(keyParts(key)).maskText(`it is ${part}.`)).toBe(`it is ${'*'.repeat(part.length)}.`);
});

test.each([
  ['sk-aB3dE5gH7jK9mN1pQ3sT5', 'aB3dE5gH7jK9mN1pQ3sT5'],
  ['sk-proj-aB3dE5gH7jK9mN1pQ3sT5-x', 'aB3dE5gH7jK9mN1pQ3sT5-x'],
  ['sk-ant-api03-aB3dE5gH7jK9mN1pQ3sT5_x', 'aB3dE5gH7jK9mN1pQ3sT5_x'],
  ['gsk_aB3dE5gH7jK9mN1pQ3sT5', 'aB3dE5gH7jK9mN1pQ3sT5'],
  ['AIzaSyB3dE5gH7jK9mN1pQ3sT5', 'SyB3dE5gH7jK9mN1pQ3sT5'],
  ['{"api_key":"sk-aB3dE5gH7jK9mN1pQ3sT5"}', 'aB3dE5gH7jK9mN1pQ3sT5'],
  ['sk-fedcba9876543210|user', 'fedcba9876543210'],
])('a key is masked without its maker’s prefix, in any spelling: %s', (key, bare) => {
  const made = new Secrets(keyParts(key));
  expect(made.maskText(`it is ${bare}.`)).toBe(`it is ${'*'.repeat(bare.length)}.`);
  expect(made.maskText(Buffer.from(bare).toString('hex'))).toMatch(/^\*+$/);
  expect(made.maskText(Buffer.from(`x${bare}`).toString('base64'))).toMatch(/^.{2}\*{16,}.{0,4}$/);
  expect(made.maskText(`${bare.slice(0, 3)} ${bare.slice(3)}`)).toContain(bare.slice(3));
});

test('a key is masked together with its maker’s prefix', () => {
  const key = 'sk-ant-api03-aB3dE5gH7jK9mN1pQ3sT5';
  const made = new Secrets(keyParts(key));
  expect(made.maskText(`it is ${key}.`)).toBe(`it is ${'*'.repeat(key.length)}.`);
  expect(made.maskText(`it is ${encodeURIComponent(`${key}+`)}.`)).toBe(
    `it is ${'*'.repeat(key.length)}%2B.`,
  );
});

test.each([
  ['sk-0123456789abcdef0123456789abcdef', '0123456789ABCDEF0123456789ABCDEF'],
  ['9F86D081884C7D659A2FEAA0C55AD015', '9f86d081884c7d659a2feaa0c55ad015'],
])('a key of a single letter case is masked in the other case as well: %s', (key, other) => {
  expect(new Secrets(keyParts(key)).maskText(`it is ${other}.`)).toBe(`it is ${'*'.repeat(other.length)}.`);
});

test('parts of a key that are not secret are not masked', () => {
  const key = 'AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY|us-east-1';
  const account = JSON.stringify({
    private_key: PEM_LINE,
    type: 'service_account',
    project_id: 'my-project',
  });
  const said = 'us-east-1, service_account, my-project, -----BEGIN PRIVATE KEY-----';
  expect(new Secrets([...keyParts(key), ...keyParts(account)]).maskText(said)).toBe(said);
});

test.each([
  ['a text', true],
  ['a sound', false],
])('%s that comes in pieces shows no key, wherever it is cut', (_, isText) => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 70 }), { maxLength: 6 }), (cuts) => {
      const whole = Buffer.from(`sk-se/ was ${KEY} and sk-se/cret again ${KEY}`);
      const places = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length];
      const stream = new SecretStream(secrets, isText);
      const pieces = places
        .slice(1)
        .map((end, index) => stream.take(Buffer.from(whole.subarray(places[index], end))));
      const stars = '*'.repeat(KEY.length);
      expect(Buffer.concat([...pieces, stream.end()]).toString()).toBe(
        `sk-se/ was ${stars} and sk-se/cret again ${stars}`,
      );
    }),
  );
});

const between = (mark: string): string => KEY.split('').join(mark);

test.each([
  ['a space of no width', '\u200b'],
  ['a soft hyphen', '\u00ad'],
  ['a joiner', '\u200d'],
  ['a mark of direction', '\u202e'],
  ['a word joiner', '\u2060'],
  ['the beginning of a direction', '\u2067'],
  ['the end of one, escaped as in JSON', '\\u2069'],
  ['a byte order mark', '\ufeff'],
  ['one escaped as in JSON', '\\u200b'],
  ['one escaped in capitals', '\\uFEFF'],
  ['one escaped as in HTML', '&#8203;'],
  ['one escaped as in HTML, in hexadecimal', '&#x200b;'],
])('a key is masked with %s between its letters', (_, mark) => {
  const secrets = new Secrets([KEY]);
  const spelled = between(mark);
  const bytes = Buffer.from(`it is ${spelled}, it is`);
  const shown = secrets.mask(Buffer.from(bytes)).toString();
  expect(shown).toBe(`it is ${'*'.repeat(Buffer.byteLength(spelled))}, it is`);
  expect(secrets.maskText(`${spelled}!`)).toBe(`${'*'.repeat(Buffer.byteLength(spelled))}!`);
});

test('a key is masked with an invisible character in it, percent-encoded', () => {
  const spelled = KEY.replace('-', '-%E2%80%8B');
  expect(new Secrets([KEY]).maskText(`a=${spelled}`)).toBe(`a=${'*'.repeat(spelled.length)}`);
});

test('a text with such characters and no key stays as it is', () => {
  const family = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} soft\u00adhyphen \\u200b';
  expect(new Secrets([KEY]).maskText(family)).toBe(family);
});

test.each([
  ['as it is', (key: string) => key],
  [
    'every character escaped',
    (key: string) => key.replaceAll(/./g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  ],
])('a key in many megabytes is masked wherever it lies, %s', async (_, write) => {
  const written = write(KEY);
  const TURN = 256 * 1024;
  for (const at of [
    0,
    TURN - 1,
    TURN - written.length + 1,
    TURN,
    3 * TURN - 20,
    1_000_000 - written.length,
  ]) {
    const bytes = Buffer.alloc(1_000_000, 'x');
    bytes.write(written, at);
    const expected = secrets.mask(Buffer.from(bytes));
    await secrets.maskInTurns(bytes);
    expect(bytes.includes('*'.repeat(KEY.length))).toBe(true);
    expect(bytes.equals(expected)).toBe(true);
  }
});
