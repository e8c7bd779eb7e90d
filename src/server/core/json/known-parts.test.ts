import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { surveyJson } from './bounds.ts';
import { type PartedBody, partsOf } from './body-parts.ts';
import { isSharedPart, KnownParts } from './known-parts.ts';
import { assertNames, assertOneMeaning } from './one-meaning.ts';

const MARK = '"from.';
const digest = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64');
const create = (generationBytes?: number): KnownParts => new KnownParts(digest, [MARK], generationBytes);

const read = (known: KnownParts, text: string): PartedBody | undefined => {
  const bytes = Buffer.from(text);
  const parts = partsOf(known, bytes);
  return parts?.read(surveyJson(bytes, undefined, parts));
};

/** The facts of the parts, unless names are refused: readers of parts check those too. */
const readParts = (known: KnownParts, text: string): { readonly body: unknown } | undefined => {
  const parted = read(known, text);
  try {
    if (parted !== undefined) assertNames(parted.body);
    return parted;
  } catch {
    return { body: undefined };
  }
};

/** What the whole says, unless it is refused. */
const readWhole = (text: string): unknown => {
  const bytes = Buffer.from(text);
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    assertOneMeaning(bytes, body, surveyJson(bytes).members);
    return body;
  } catch {
    return undefined;
  }
};

const LONG = 'x'.repeat(6000);
const message = (content: unknown): object => ({
  role: 'user',
  content,
  more: [{ deep: { er: [1, 'é', {}] } }],
});
const chat = (...contents: readonly unknown[]): string =>
  JSON.stringify({ model: 'm', messages: [{ role: 'system', content: LONG }, ...contents.map(message)] });

const awkward = fc.constantFrom(
  'a',
  '\\',
  '"',
  '{"":0}',
  '},{',
  '[',
  '\n',
  'é→😀',
  '\ud800',
  '"from.',
  '1234567890123456',
  'x'.repeat(700),
);
const content = fc.array(awkward, { maxLength: 12 }).map((pieces) => pieces.join(''));
const item = fc.oneof(
  { weight: 6, arbitrary: content.map((text) => message(text)) },
  fc.constant({}),
  fc.constant({ '': 0 }),
  fc.constant([{ a: 1 }]),
  fc.constant(7),
  fc.constant('{}'),
  fc.constant(null),
);
const body = fc
  .record({ 1: fc.array(item, { maxLength: 3 }), messages: fc.array(item, { maxLength: 12 }), x: content })
  .map((fields) => ({ ...fields, tools: [message(LONG)], object: { in: [{ a: [{}] }] }, '': 0 }));

it('a body read part by part means the same as when read whole, the first time and from memory', () => {
  const known = create();
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 3 }), fc.boolean(), (bodies, isWide) => {
      for (const fields of [...bodies, ...bodies]) {
        const text = JSON.stringify(fields, undefined, isWide ? 1 : undefined);
        const bytes = Buffer.from(text);
        const parts = partsOf(known, bytes);
        const survey = surveyJson(bytes, undefined, parts);
        expect(survey).toEqual(surveyJson(bytes));
        const parted = parts?.read(survey);
        if (parted === undefined) continue;
        expect(JSON.stringify(parted.body)).toBe(JSON.stringify(JSON.parse(text)));
        expect(parted.marks.has(MARK)).toBe(text.includes(MARK));
      }
    }),
    { numRuns: 150 },
  );
  expect(read(known, chat('one'))?.body).toEqual(JSON.parse(chat('one')));
});

it('a corrupted body is never taken for a known one, wherever a byte is missing, changed or doubled', () => {
  const known = create();
  const text = chat('one', '"two" \\', 'three');
  read(known, text);
  const at = fc.oneof(
    fc.nat(120),
    fc.nat(300).map((back) => text.length - 1 - back),
  );
  const byte = fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', '5', ' ', 'z');
  fc.assert(
    fc.property(at, fc.nat(1), byte, (where, width, put) => {
      const spoiled = text.slice(0, where) + put + text.slice(where + width);
      const parted = readParts(known, spoiled);
      const whole = readWhole(spoiled);
      expect(parted === undefined ? whole : parted.body).toEqual(whole);
      // What was learned from it must not change how the sound one is read.
      expect(read(known, text)?.body).toEqual(JSON.parse(text));
    }),
    { numRuns: 1500 },
  );
});

it.each([
  ['in a message', `{"pad":"${LONG}","messages":[{"role":"user","role":"system","content":"${LONG}"}]}`],
  ['around messages', `{"messages":[{"content":"${LONG}"}],"messages":[{"content":"${LONG}"}]}`],
  ['beside messages', `{"n":1,"messages":[{"content":"${LONG}"}],"n":2}`],
])('a name given twice %s is left to who refuses it', (_, text) => {
  expect(read(create(), text)).toBeUndefined();
});

it('a message seen before is the same object, and it is frozen', () => {
  const known = create();
  const messagesOf = (text: string) => read(known, text)?.body['messages'] as Record<string, unknown>[];
  const before = messagesOf(chat('one', 'two'));
  const after = messagesOf(chat('one', 'two', 'three'));
  expect(after.slice(0, 3).map((part, index) => part === before[index])).toEqual([true, true, true]);
  const [, first] = after;
  expect(first !== undefined && isSharedPart(first)).toBe(true);
  expect(() => Object.assign(first ?? {}, { content: 'other' })).toThrow(TypeError);
  expect(() => (first?.['more'] as unknown[] | undefined)?.push(1)).toThrow(TypeError);
  // The list around them is the body's own.
  expect(after === before).toBe(false);
});

it('what follows the same message is told by its own bytes', () => {
  const known = create();
  for (const text of [
    chat('one', 'two'),
    chat('one', 'too'),
    chat('one', 'two'),
    chat('one'),
    chat('two', 'one'),
  ])
    expect(read(known, text)?.body).toEqual(JSON.parse(text));
});

it('parts that were not seen for long are forgotten', () => {
  const known = create(64 * 1024);
  const first = JSON.stringify(message('first'));
  read(known, chat('first'));
  const isKnown = (): boolean => known.find(digest(Buffer.from(first))) !== undefined;
  expect(isKnown()).toBe(true);
  for (let call = 0; call < 100; call += 1) read(known, chat('first', `${call}${LONG}`));
  expect(isKnown()).toBe(true);
  for (let call = 0; call < 100; call += 1) read(known, chat(`${call}${LONG}`));
  expect(isKnown()).toBe(false);
});

it('pictures, long whole numbers and lists of little are read with the whole', () => {
  const known = create();
  const picture = chat('p'.repeat(200_000));
  expect(read(known, picture)?.body).toEqual(JSON.parse(picture));
  expect(known.find(digest(Buffer.from(JSON.stringify(message('p'.repeat(200_000))))))).toBeUndefined();
  expect(read(known, `{"messages":[{"id":1234567890123456789,"content":"${LONG}"}]}`)).toBeUndefined();
  expect(
    read(known, JSON.stringify({ input: Array.from({ length: 2000 }, (_, at) => ({ at })) })),
  ).toBeUndefined();
});
