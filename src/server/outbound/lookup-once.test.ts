import { expect, test } from 'vitest';
import { lookupOnce } from './lookup-once.ts';

test('simultaneous lookups of a name share one query, and a later one asks again', () => {
  const asked: { name: string; answer: (error: Error | null) => void }[] = [];
  const told: string[] = [];
  const look = lookupOnce((name, _, callback) => {
    const answer = (error: Error | null) => callback(error, [{ address: '8.8.8.8', family: 4 }]);
    asked.push({ name, answer });
  });
  const ask = (name: string, family: 0 | 6 = 0): void =>
    look(
      name,
      { all: true, family },
      (error) => void told.push(`${name} ${error === null ? 'there' : 'gone'}`),
    );
  for (let call = 0; call < 600; call += 1) ask('dead.example');
  ask('sound.example');
  ask('dead.example', 6);
  expect(asked.map(({ name }) => name)).toEqual(['dead.example', 'sound.example', 'dead.example']);
  asked[1]?.answer(null);
  expect(told).toEqual(['sound.example there']);
  asked[0]?.answer(new Error('no such name'));
  expect(told).toHaveLength(601);
  expect(new Set(told.slice(1))).toEqual(new Set(['dead.example gone']));
  ask('dead.example');
  expect(asked).toHaveLength(4);
  asked[3]?.answer(null);
  expect(told.at(-1)).toBe('dead.example there');
});
