import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatEvent } from './event.ts';
import { StopCutter } from './stop-cutter.ts';

const delta = (text: string): ChatEvent => ({ type: 'text-delta', choice: 0, text });
const end: ChatEvent = { type: 'finish', choice: 0, reason: 'length' };

/** The text and stop sequence that come out for these pieces. */
const cut = (stops: readonly string[], pieces: readonly string[]) => {
  const cutter = new StopCutter(stops);
  const told = [...pieces.map(delta), end].flatMap((event) => cutter.take(event));
  const finish = told.at(-1);
  return {
    text: told.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    stop: finish?.type === 'finish' ? finish.stopSequence : undefined,
    reason: finish?.type === 'finish' ? finish.reason : undefined,
    ends: told.filter(({ type }) => type === 'finish').length,
    hasCut: cutter.hasCut,
  };
};

/** The expected result, found character by character. */
const expected = (stops: readonly string[], text: string) => {
  for (let at = 1; at <= text.length; at += 1) {
    const said = text.slice(0, at);
    const [stop] = stops.filter((one) => said.endsWith(one)).toSorted((a, b) => b.length - a.length);
    if (stop !== undefined)
      return { text: said.slice(0, -stop.length), stop, reason: 'stop', ends: 1, hasCut: true };
  }
  return { text, stop: undefined, reason: 'length', ends: 1, hasCut: false };
};

test('a text ends where the first stop sequence is complete, however it comes in pieces', () => {
  const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength });
  const stop = word(4).filter((text) => text !== '');
  fc.assert(
    fc.property(
      fc.array(stop, { minLength: 1, maxLength: 4 }),
      fc.array(word(5), { maxLength: 12 }),
      (stops, pieces) => {
        expect(cut(stops, pieces)).toEqual(expected(stops, pieces.join('')));
      },
    ),
    { numRuns: 2000 },
  );
});

test('only a possible beginning of a stop sequence is held back', () => {
  const cutter = new StopCutter(['\n\nHuman:']);
  expect(cutter.take(delta('one\n'))).toEqual([delta('one')]);
  expect(cutter.take(delta('two'))).toEqual([delta('\ntwo')]);
  expect(cutter.take(delta('\n\nHum'))).toEqual([]);
  expect(cutter.take({ type: 'citation', choice: 0, url: 'u' })).toHaveLength(1);
  const call: ChatEvent = { type: 'tool-call-start', choice: 0, index: 0, id: 'c', name: 'f' };
  expect(cutter.take(call)).toEqual([delta('\n\nHum'), call]);
});

test('thoughts and arguments are not cut, and each block of text is searched by itself', () => {
  const cutter = new StopCutter(['END']);
  const thought: ChatEvent = { type: 'reasoning-delta', choice: 0, text: 'END' };
  const args: ChatEvent = { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '"END"' };
  const second: ChatEvent = { type: 'text-delta', choice: 0, text: 'ND', begins: true };
  const events = [thought, args, delta('E'), second];
  expect(events.flatMap((event) => cutter.take(event))).toEqual(events);
  expect(cutter.hasCut).toBe(false);
});
