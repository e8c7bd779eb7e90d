import { expect, it } from 'vitest';
import { seriesColours } from './series-colours.ts';

const names = [
  'gpt-5.4',
  'claude-opus-5',
  'gemini-3-pro',
  'o4-mini',
  'deepseek-v4',
  'qwen4',
  'glm-6',
  'kimi-k3',
];

it('a model keeps its colour whatever the order, and no two of up to eight share one', () => {
  const colours = seriesColours(names, [], new Map());
  expect(seriesColours(names.toReversed(), [], new Map())).toEqual(colours);
  expect(new Set(colours.values()).size).toBe(names.length);
  expect([...colours.values()].every((colour) => /^var\(--chart-[1-8]\)$/.test(colour))).toBe(true);
});

it('a model keeps its colour when others come and go, for every span and metric', () => {
  const places = new Map<string, number>();
  for (let round = 0; round < 3; round += 1)
    for (let from = 0; from < names.length; from += 1) {
      const some = [...names.slice(from), ...names.slice(0, from)].slice(0, 4);
      const before = new Map(places);
      const colours = seriesColours(some, [], places);
      expect(new Set(colours.values()).size).toBe(4);
      const seen = [...before].filter(([name]) => some.includes(name));
      // Two that were never together may have one colour: then one of them gives way while they are.
      const kept = seen.filter(([name, place]) => colours.get(name) === `var(--chart-${place + 1})`);
      const theirs = new Set(seen.map(([, place]) => place));
      expect(kept.length).toBe(theirs.size);
      for (const [name, place] of before) expect(places.get(name)).toBe(place);
    }
});

it('the colours of the first names do not depend on later names', () => {
  const places = new Map<string, number>();
  const first = seriesColours(names.slice(0, 3), names.slice(3), places);
  const alone = seriesColours(names.slice(0, 3), [], new Map());
  for (const name of names.slice(0, 3)) expect(first.get(name)).toBe(alone.get(name));
});

it('the number of stored colours is limited', () => {
  const places = new Map<string, number>();
  for (let at = 0; at < 400; at += 1) seriesColours([`model ${at}`], [], places);
  expect(places.size).toBe(300);
  expect(places.has('model 399')).toBe(true);
});
