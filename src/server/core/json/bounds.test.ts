import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertReadAtOnce, endOfString, surveyJson, valuesIn } from './bounds.ts';

const refusal = (text: string): string | undefined => {
  try {
    surveyJson(Buffer.from(text));
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

const LONG = 'x'.repeat(20_000);

it('brackets in brackets and a flood of values are refused before anything is parsed', () => {
  expect(refusal('['.repeat(1_000_000))).toMatch(/nests deeper/);
  expect(refusal(`{"pad":"${LONG}","x":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`)).toMatch(/nests deeper/);
  expect(refusal(`{"pad":"${LONG}","x":[${'1,'.repeat(600_000)}1]}`)).toMatch(/too many values/);
  expect(refusal(`[${'{},'.repeat(300_000)}1]`)).toMatch(/too many values/);
});

it('brackets inside a string do not count, however it is escaped', () => {
  const text = fc.array(fc.constantFrom('[', '{', ',', '"', '\\', '\\"', 'a', ']'), {
    minLength: 5000,
    maxLength: 20_000,
    size: 'max',
  });
  fc.assert(
    fc.property(text, (parts) => {
      const content = parts.join('');
      expect(refusal(JSON.stringify({ pad: LONG, content, more: [[[content]]] }))).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});

it('members and long whole numbers inside a string do not count', () => {
  const survey = (text: string) => surveyJson(Buffer.from(text));
  expect(survey('{"a":{"b": [1,2],"c\\":d":"e:f"},"ä:":1}')).toEqual({
    values: 6,
    members: 4,
    hasLongNumber: false,
  });
  expect(survey('{"id":-1234567890123456}').hasLongNumber).toBe(true);
  for (const text of ['"1234567890123456"', '{"id":123456789012345}', '[0.1234567890123456]'])
    expect([text, survey(text).hasLongNumber]).toEqual([text, false]);
});

it('siblings do not add to the depth', () => {
  expect(
    refusal(JSON.stringify({ pad: LONG, list: Array.from({ length: 5000 }, () => [[]]) })),
  ).toBeUndefined();
});

it('a string ends at its first unescaped quote, however many escaped ones precede it', () => {
  const piece = fc.constantFrom(
    '\\\\',
    '\\"',
    'a',
    '\\n',
    '\\\\'.repeat(600),
    '\\"'.repeat(600),
    'a'.repeat(1200),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const inside = pieces.join('');
      expect(endOfString(`{"${inside}","`, 1)).toBe(inside.length + 2);
      expect(endOfString(`{"${inside}`, 1)).toBe(-1);
    }),
    { numRuns: 300 },
  );
});

it('what is read at once has 12 MiB and 10,000 values at most', () => {
  const numbers = (count: number): Buffer => Buffer.from(`{"pad":"${LONG}","x":[${'1,'.repeat(count)}1]}`);
  expect(() => assertReadAtOnce(numbers(9990))).not.toThrow();
  expect(() => assertReadAtOnce(numbers(10_001))).toThrow(/too many values, 10000 are the most/);
  const text = (bytes: number): Buffer => Buffer.from(`"${'x'.repeat(bytes)}"`);
  expect(() => assertReadAtOnce(text(12 * 1024 * 1024 - 2))).not.toThrow();
  expect(() => assertReadAtOnce(text(12 * 1024 * 1024))).toThrow(/larger than 12 MiB/);
});

it('values are counted up to the maximum, and no depth throws', () => {
  const numbers = Buffer.from(`{"pad":"${LONG}","x":[${'1,'.repeat(99)}1]}`);
  expect([valuesIn(numbers, 1000), valuesIn(numbers, 50)]).toEqual([102, Infinity]);
  expect(valuesIn(Buffer.from('['.repeat(100_000)), 1_000_000)).toBe(Infinity);
});

it('a long text is counted like a short one, wherever its pieces end', () => {
  const odd = '[1234567890123456,0.1234567890123456,-12,{"a\\\\":"\\"[{","é":[]}]';
  const counted = surveyJson(Buffer.from(`{"pad":"","x":${odd}}`));
  expect(counted).toEqual({ values: 9, members: 4, hasLongNumber: true });
  for (let length = 16_250; length < 16_400; length += 1)
    expect(surveyJson(Buffer.from(`{"pad":"${'x'.repeat(length)}","x":${odd}}`))).toEqual(counted);
  for (const pad of ['\\\\'.repeat(20_000), '\\"'.repeat(20_000)])
    expect(surveyJson(Buffer.from(`{"pad":"${pad}","x":${odd}}`))).toEqual(counted);
  const digits = Buffer.from(`{"pad":"","x":[0.${'1'.repeat(40_000)}]}`);
  expect(surveyJson(digits).hasLongNumber).toBe(false);
});
