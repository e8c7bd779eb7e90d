import { expect, test } from 'vitest';
import { channelCapacity } from '#contract/channel/channel-capacity.ts';
import { CHANNEL_CAPACITY } from '#contract/limits.ts';
import { type CapacityName, isCapacity, readCapacity, withCapacity } from './channel-capacity.ts';

const saved = {
  idle_timeout_ms: 9000,
  capacity: { calls_per_minute: 5, queue_calls: 2, queue_wait_ms: 1500 },
};

test('limits survive a round trip through the form, and so do the other settings', () => {
  const limits = readCapacity(JSON.stringify(saved));
  expect(limits).toEqual(saved.capacity);
  expect(limits && JSON.parse(withCapacity(JSON.stringify(saved), limits))).toEqual(saved);
});

test('empty and unknown fields are no limits, and leave nothing in the settings', () => {
  expect(readCapacity('')).toEqual({});
  expect(readCapacity('{"capacity":{"calls_per_minute":"many","calls":5,"calls_per_day":null}}')).toEqual({});
  expect(readCapacity('{"capacity":7}')).toEqual({});
  expect(withCapacity('{"capacity":{"calls":5}}', { calls_per_minute: undefined })).toBe('');
  expect(withCapacity('{"proxy":"","capacity":{"calls":5}}', {})).toBe('{\n  "proxy": ""\n}');
});

test('invalid JSON in the settings is left unchanged', () => {
  expect(readCapacity('{')).toBeUndefined();
  expect(readCapacity('[]')).toBeUndefined();
});

test('the form accepts exactly the limits that the server accepts', () => {
  for (const name of Object.keys(CHANNEL_CAPACITY) as CapacityName[]) {
    const { min, max } = CHANNEL_CAPACITY[name];
    for (const value of [-1, min - 1, min, min + 0.5, max, max + 1, undefined])
      expect([name, value, isCapacity(name, value)]).toEqual([
        name,
        value,
        channelCapacity.safeParse({ [name]: value }).success,
      ]);
  }
});
