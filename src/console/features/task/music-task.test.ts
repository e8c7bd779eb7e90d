import { expect, test } from 'vitest';
import { rangeOf, secondsOf, statusTone } from './music-task.ts';

test("the default range is today's midnight until an hour ahead", () => {
  const now = new Date(2026, 10, 21, 15, 30);
  expect(rangeOf({}, now)).toEqual({
    start_timestamp: new Date(2026, 10, 21).getTime() / 1000,
    end_timestamp: now.getTime() / 1000 + 3600,
  });
  expect(rangeOf({ time_from: '5', time_to: '7' }, now)).toEqual({ start_timestamp: 5, end_timestamp: 7 });
});

test('each state has its colour, and an empty one is neutral', () => {
  const words = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'QUEUED', 'UNKNOWN', ''];
  expect(words.map(statusTone)).toEqual(['ok', 'muted', 'warn', 'info', 'bad', 'warn', 'muted', 'muted']);
});

test('the duration is known once the task has ended', () => {
  expect(secondsOf({ submit_time: 10, finish_time: 0 })).toBeUndefined();
  expect(secondsOf({ submit_time: 10, finish_time: 75 })).toBe(65);
});
