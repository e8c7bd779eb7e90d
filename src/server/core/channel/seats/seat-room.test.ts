import { expect, it } from 'vitest';
import { isLimited } from './seat-room.ts';

const none = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };

it.each(['callsPerMinute', 'tokensPerMinute', 'concurrent', 'callsPerDay'] as const)(
  'a key is limited by %s alone',
  (name) => {
    expect(isLimited({ ofChannel: undefined, ofKey: { ...none, [name]: 1 } })).toBe(true);
  },
);

it('a key whose limits are all 0 is not limited, unless its channel is', () => {
  expect(isLimited({ ofChannel: undefined, ofKey: none })).toBe(false);
  expect(isLimited({ ofChannel: undefined, ofKey: undefined })).toBe(false);
  expect(isLimited({ ofChannel: none, ofKey: none })).toBe(true);
});
