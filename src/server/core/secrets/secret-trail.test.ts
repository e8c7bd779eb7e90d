import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecretTrail } from './secret-trail.ts';
import { Secrets } from './secrets.ts';

const KEY = 'sk-ant-0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d';
/** Of 39 characters. */
const SEEN = 12;
const OTHER = 'hunter2-hunter2-hunter2';

const eventOf = (text: string): Buffer =>
  Buffer.from(
    `data: {"id":"chatcmpl-s","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
  );
const textOf = (event: Buffer): string => /"content":"((?:[^"\\]|\\.)*)"/.exec(event.toString())?.[1] ?? '';

/** The texts after masking, one for each event. Texts that need no masking may pass unparsed. */
const shownOf = (texts: readonly string[], mayPass: (index: number) => boolean = () => false): string => {
  const secrets = new Secrets([KEY, OTHER]);
  const trail = new SecretTrail(secrets);
  return texts
    .map((text, index) => {
      const event = eventOf(text);
      const start = event.indexOf('"content":"') + '"content":"'.length;
      if (!mayPass(index) || !trail.passes(event, start, start + Buffer.byteLength(text)))
        trail.maskEvent(event, secrets.maskEvent(event));
      return textOf(event);
    })
    .join('');
};

const cutAt = (text: string, places: readonly number[]): string[] => {
  const cuts = [...new Set([0, ...places.map((place) => place % text.length), text.length])].toSorted(
    (one, other) => one - other,
  );
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
};

describe('a secret that comes in pieces', () => {
  test('is masked behind its first characters, wherever it is cut, and what is beside it stays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
        fc.array(fc.boolean(), { minLength: 100, maxLength: 100 }),
        fc.constantFrom('', 'your key is ', 'is sk-a, this: '),
        (places, passing, lead) => {
          const pieces = cutAt(KEY, places);
          fc.pre(pieces.length > 1);
          const shown = shownOf([lead, ...pieces, ' and more'], (index) => passing[index] === true);
          expect(shown).toBe(`${lead}${KEY.slice(0, SEEN).padEnd(KEY.length, '*')} and more`);
        },
      ),
    );
  });

  test('is masked beside other words in the first and the last of its events', () => {
    for (let cut = 1; cut < KEY.length; cut += 1) {
      const texts = [`key: ${KEY.slice(0, cut)}`, `${KEY.slice(cut)}, thanks`];
      expect(shownOf(texts)).toBe(`key: ${KEY.slice(0, SEEN).padEnd(KEY.length, '*')}, thanks`);
    }
  });

  test('is found beside the beginning of another, and so are two keys of one channel', () => {
    expect(shownOf(['hu', 'hunter2-hunt', 'er2-hunter2'])).toBe('huhunter2*'.padEnd(2 + OTHER.length, '*'));
    expect(shownOf([KEY.slice(0, 30), KEY.slice(30), OTHER.slice(0, 9), OTHER.slice(9)])).toBe(
      KEY.slice(0, SEEN).padEnd(KEY.length, '*') + OTHER.slice(0, 7).padEnd(OTHER.length, '*'),
    );
  });
});

test('words that only begin like a secret stay as they are', () => {
  const texts = [
    's',
    'k',
    '-ant-0',
    ' is how keys begin: sk-ant-0a1b2',
    'x',
    'sk',
    'sk-',
    'hunter',
    '2',
    'x',
  ];
  expect(shownOf(texts)).toBe(texts.join(''));
  expect(shownOf(texts, () => true)).toBe(texts.join(''));
});

test('names of fields are no texts', () => {
  const secrets = new Secrets([KEY]);
  const trail = new SecretTrail(secrets);
  const name = KEY.slice(0, 20);
  for (const [event, shown] of [
    [`{"s":1,"${name}":"c"}`, `{"s":1,"${name}":"c"}`],
    [`{"s":"${name}"}`, `{"s":"${name.slice(0, SEEN)}********"}`],
  ] as const) {
    const bytes = Buffer.from(event);
    trail.maskEvent(bytes, secrets.maskEvent(bytes));
    expect(bytes.toString()).toBe(shown);
  }
});

test('a channel without a key has nothing to mask', () => {
  const secrets = new Secrets([]);
  const event = eventOf('sk-ant-0a1b2c');
  const places = secrets.maskEvent(event);
  new SecretTrail(secrets).maskEvent(event, places);
  expect([places, textOf(event)]).toEqual([[], 'sk-ant-0a1b2c']);
});
