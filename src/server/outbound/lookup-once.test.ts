import { expect, test } from 'vitest';
import { lookupOnce } from './lookup-once.ts';
import { createSender } from './send.ts';
import { systemClock } from '../system.ts';

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

test('of names that strangers give one is looked up at a time, and a hundred wait for their turn', () => {
  const asked: { name: string; answer: () => void }[] = [];
  const told: string[] = [];
  const look = lookupOnce((name, _, callback) => {
    asked.push({ name, answer: () => callback(null, [{ address: '8.8.8.8', family: 4 }]) });
  }, 1);
  const ask = (name: string): void =>
    look(name, { all: true }, (error) => void told.push(`${name} ${error?.code ?? 'there'}`));
  for (let number = 0; number <= 100; number += 1) ask(`slow${number}.example`);
  ask('slow1.example');
  expect(asked.map(({ name }) => name)).toEqual(['slow0.example']);
  ask('one-too-many.example');
  expect(told).toEqual(['one-too-many.example EAI_AGAIN']);
  for (let number = 0; number <= 100; number += 1) asked[number]?.answer();
  expect(asked.map(({ name }) => name)).toEqual(
    Array.from({ length: 101 }, (_, number) => `slow${number}.example`),
  );
  expect(told.slice(1, 4)).toEqual(['slow0.example there', 'slow1.example there', 'slow1.example there']);
  expect(told).toHaveLength(103);
  ask('later.example');
  expect(asked.at(-1)?.name).toBe('later.example');
});

test('a sender to strangers looks names up where it was told to', async () => {
  const asked: string[] = [];
  const sender = createSender({
    clock: systemClock,
    allowAddress: () => true,
    lookupAll: (name, _, callback) => {
      asked.push(name);
      callback(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }), []);
    },
  });
  await expect(sender.send({ method: 'GET', url: 'http://slow.example/', headers: {} })).rejects.toThrow(
    'ENOTFOUND',
  );
  expect(asked).toEqual(['slow.example']);
  await sender.close();
});
