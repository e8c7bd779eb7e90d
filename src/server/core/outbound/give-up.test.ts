import { expect, test } from 'vitest';
import { abortSignalOf, GiveUp } from './give-up.ts';

test('an attempt that is given up tells all who listen, once, and nobody who has stopped listening', () => {
  const attempt = new GiveUp();
  const told: string[] = [];
  const gone = (): void => void told.push('gone');
  attempt.addEventListener('abort', () => told.push('first'));
  attempt.addEventListener('abort', gone);
  attempt.addEventListener('abort', () => told.push('second'));
  attempt.removeEventListener('abort', gone);
  attempt.abort('late');
  attempt.abort('again');
  expect([told, attempt.signal.aborted, attempt.signal.reason]).toEqual([['first', 'second'], true, 'late']);
});

test('a listener that throws, or removes another, keeps nobody else from being told', () => {
  const attempt = new GiveUp();
  const told: string[] = [];
  const removed = (): void => void told.push('removed');
  attempt.addEventListener('abort', () => {
    throw new Error('of the first');
  });
  attempt.addEventListener('abort', () => attempt.removeEventListener('abort', removed));
  attempt.addEventListener('abort', removed);
  attempt.addEventListener('abort', () => told.push('last'));
  expect(() => attempt.abort('late')).toThrow('of the first');
  expect(told).toEqual(['last']);
});

test("Node's functions are told too, whether they ask before or after", () => {
  const attempt = new GiveUp();
  const before = abortSignalOf(attempt);
  expect(before.aborted).toBe(false);
  attempt.abort('late');
  expect([before, abortSignalOf(attempt)].map(({ aborted, reason }) => [aborted, reason])).toEqual([
    [true, 'late'],
    [true, 'late'],
  ]);
  const { signal } = new AbortController();
  expect(abortSignalOf(signal)).toBe(signal);
});
