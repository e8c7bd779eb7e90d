import { expect, test } from 'vitest';
import { waterfallOf } from './waterfall.ts';

const silent = { connectMs: undefined, headMs: undefined, race: '' };

test('a call is shown from its first byte to its settlement', () => {
  const won = { channel: 2, status: 200, ms: 40, error: '', atMs: 6, connectMs: 3, headMs: 30, race: '' };
  const lines = waterfallOf({ stages: { readMs: 2, holdMs: 5, lastMs: 90 }, attempts: [won] }, 95);
  expect(lines).toEqual([
    { channel: undefined, pieces: [{ stage: 'read', fromMs: 0, toMs: 2 }] },
    { channel: undefined, pieces: [{ stage: 'hold', fromMs: 2, toMs: 5 }] },
    { channel: undefined, pieces: [{ stage: 'choose', fromMs: 5, toMs: 6 }] },
    {
      channel: 2,
      pieces: [
        { stage: 'connect', fromMs: 6, toMs: 9 },
        { stage: 'firstByte', fromMs: 9, toMs: 36 },
        { stage: 'firstToken', fromMs: 36, toMs: 46 },
      ],
    },
    { channel: undefined, pieces: [{ stage: 'answer', fromMs: 46, toMs: 90 }] },
    { channel: undefined, pieces: [{ stage: 'settle', fromMs: 90, toMs: 95 }] },
  ]);
});

test('racing attempts are in the order of their begin', () => {
  const lost = {
    channel: 2,
    status: 0,
    ms: 200,
    error: 'another channel answered first',
    atMs: 300,
    ...silent,
  };
  const won = { channel: 1, status: 200, ms: 500, error: '', atMs: 0, ...silent };
  const lines = waterfallOf({ stages: { readMs: 0, holdMs: 0, lastMs: 600 }, attempts: [lost, won] }, 601);
  expect(lines.filter(({ channel }) => channel !== undefined)).toEqual([
    { channel: 1, pieces: [{ stage: 'firstToken', fromMs: 0, toMs: 500 }] },
    { channel: 2, pieces: [{ stage: 'failed', fromMs: 300, toMs: 500 }] },
  ]);
});

test('a failed call has no answer stage, and rounded times never run backwards', () => {
  const failed = { channel: 1, status: 500, ms: 9, error: 'gone', atMs: 3, ...silent, connectMs: 2 };
  const lines = waterfallOf({ stages: { readMs: 4, holdMs: 3, lastMs: undefined }, attempts: [failed] }, 12);
  expect(lines.map(({ pieces }) => pieces.at(-1)?.stage)).toEqual(['read', 'hold', 'choose', 'failed']);
  for (const { pieces } of lines)
    for (const { fromMs, toMs } of pieces) expect(toMs).toBeGreaterThanOrEqual(fromMs);
});

test('a row from before stages were recorded has no waterfall', () => {
  expect(waterfallOf({ stages: undefined, attempts: [] }, 10)).toEqual([]);
});

/** The times from the beginning to the end that no line shows. */
const unshownMs = (lines: ReturnType<typeof waterfallOf>, totalMs: number): number =>
  Array.from({ length: totalMs }, (_, ms) => ms).filter(
    (ms) => !lines.some(({ pieces }) => pieces.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)),
  ).length;

const failed = { channel: 1, status: 500, ms: 20, error: 'gone', atMs: 6, ...silent };
const won = { channel: 2, status: 200, ms: 30, error: '', atMs: 70, ...silent };

test.each([
  [
    'a retry after a wait for room',
    [failed, won],
    140,
    ['read', 'hold', 'choose', 'failed', 'choose', 'firstToken', 'answer', 'settle'],
  ],
  [
    'a race',
    [{ ...failed, ms: 94 }, won],
    140,
    ['read', 'hold', 'choose', 'failed', 'firstToken', 'answer', 'settle'],
  ],
  [
    'a failure that waited for another channel in vain',
    [failed],
    undefined,
    ['read', 'hold', 'choose', 'failed', 'settle'],
  ],
  ['a task that its upstream works on', [won], undefined, ['read', 'hold', 'choose', 'firstToken', 'answer']],
  ['a call that found no room', [], undefined, ['read', 'hold', 'choose']],
] as const)('the stages of %s add up to its whole time', (_, attempts, lastMs, names) => {
  const lines = waterfallOf({ stages: { readMs: 2, holdMs: 5, lastMs }, attempts }, 150);
  expect(lines.map(({ pieces }) => pieces.at(-1)?.stage)).toEqual(names);
  expect(unshownMs(lines, 150)).toBe(0);
});
