import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '#core/testing/any-character.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import { gemini } from '../gemini.ts';
import { PartialArguments } from './partial-arguments.ts';

const call = (functionCall: object, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall, ...more }] } }],
});

const argumentsIn = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'tool-call-delta' ? event.argumentsText : '')).join('');

type Value = string | number | boolean | null;

const asPiece = (steps: readonly (string | number)[], value: Value) => ({
  jsonPath: `$${steps.map((step) => `[${typeof step === 'number' ? String(step) : JSON.stringify(step)}]`).join('')}`,
  ...(typeof value === 'string' && { stringValue: value }),
  ...(typeof value === 'number' && { numberValue: value }),
  ...(typeof value === 'boolean' && { boolValue: value }),
});

/** The values of a tree, each as the pieces it comes in. */
const leavesOf = (value: unknown, steps: readonly (string | number)[] = []): object[][] => {
  if (typeof value === 'string') {
    const half = Math.ceil(value.length / 2);
    return [[value.slice(0, half), value.slice(half)].map((text) => asPiece(steps, text))];
  }
  if (Array.isArray(value)) return value.flatMap((inner, at) => leavesOf(inner, [...steps, at]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...steps, name]));
  return [[asPiece(steps, value as Value)]];
};

const leaf = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean(), fc.constant(null));
const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'é"'), fc.string({ minLength: 1 }));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 3 }),
  ),
}));

describe('arguments of a call that come in pieces', () => {
  test('are one call, passed on as they come, its texts put together', () => {
    const events = gemini.readWhole([
      call({ name: 'f', id: 'c1', willContinue: true }, { thoughtSignature: 'c2ln' }),
      call({
        partialArgs: [{ jsonPath: '$.city', stringValue: 'New ', willContinue: true }],
        willContinue: true,
      }),
      call({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Delhi' }], willContinue: true }),
      call({
        partialArgs: [
          { jsonPath: '$.at[0].hour', numberValue: 7 },
          { jsonPath: "$['is it']", boolValue: false },
          { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
      call({}),
      call({ name: 'g', args: { x: 1 } }),
      { candidates: [{ index: 0, finishReason: 'STOP' }] },
    ]);
    expect(events.slice(1)).toEqual([
      {
        type: 'tool-call-start',
        choice: 0,
        index: 0,
        id: 'c1',
        name: 'f',
        signature: 'c2ln',
        signatureFrom: 'gemini',
      },
      ...['{"city":"New ', 'Delhi', '","at":[{"hour":7}],"is it":false,"none":null', '}'].map(
        (argumentsText) => ({ type: 'tool-call-delta', choice: 0, index: 0, argumentsText }),
      ),
      { type: 'tool-call-start', choice: 0, index: 1, id: expect.any(String), name: 'g' },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '{"x":1}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]);
  });

  test('that are cut off are passed on as far as they came', () => {
    const events = gemini.readWhole([
      call({ name: 'f', id: 'c1', willContinue: true }),
      call({ partialArgs: [{ jsonPath: '$.a', stringValue: 'half' }], willContinue: true }),
      { candidates: [{ index: 0, finishReason: 'MAX_TOKENS' }] },
    ]);
    expect(argumentsIn(events)).toBe('{"a":"half"}');
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
  });

  test('that come back to what is over are passed on whole again at the end', () => {
    const events = gemini.readWhole([
      call({ name: 'f', id: 'c1', args: { zone_name: 'UTC' }, willContinue: true }),
      call({ partialArgs: [{ jsonPath: '$.a.x', stringValue: 'o' }], willContinue: true }),
      call({ partialArgs: [{ jsonPath: '$.b', numberValue: 1 }], willContinue: true }),
      call({ partialArgs: [{ jsonPath: '$.a.x', stringValue: 'ne' }] }),
      { candidates: [{ index: 0, finishReason: 'STOP' }] },
    ]);
    const written = argumentsIn(events);
    expect(written).toBe('{"zone_name":"UTC","a":{"x":"o"},"b":1,"a":{"x":"one"}}');
    expect(JSON.parse(written)).toEqual({ zone_name: 'UTC', a: { x: 'one' }, b: 1 });
  });

  test('in whatever order their values come, are those that came', () => {
    const arguments_ = fc.dictionary(name, tree, { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(arguments_, fc.infiniteStream(fc.nat()), fc.boolean(), (expected, dice, isShuffled) => {
        const leaves = leavesOf(expected);
        const holder = new PartialArguments();
        let written = '';
        while (leaves.length > 0) {
          const at = isShuffled ? Number(dice.next().value) % leaves.length : 0;
          written += holder.add([leaves[at]?.shift()]);
          if (leaves[at]?.length === 0) leaves.splice(at, 1);
        }
        written += holder.end();
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 500 },
    );
  });

  test('are JSON, whatever their paths say', () => {
    const step = fc.oneof(fc.constantFrom('a', 'b'), fc.nat({ max: 2 }));
    const steps = fc.array(step, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(steps, leaf), { maxLength: 8 }), (pieces) => {
        const holder = new PartialArguments();
        const written = pieces.map(([path, value]) => holder.add([asPiece(path, value)])).join('');
        expect(JSON.parse(written + holder.end())).toBeTypeOf('object');
      }),
    );
  });

  test('reach no further than the arguments, whatever their path says', () => {
    const hostile = new PartialArguments();
    const written = hostile.add([
      { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
      { jsonPath: '$.list[999999999]', stringValue: 'x' },
      { jsonPath: 'a', stringValue: 'x' },
      { stringValue: 'x' },
    ]);
    expect(JSON.parse(written + hostile.end())).toEqual(JSON.parse('{"__proto__":{"polluted":"x"}}'));
    expect('polluted' in {}).toBe(false);
  });
});
