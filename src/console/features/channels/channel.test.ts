import { expect, test } from 'vitest';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import { responseTone } from './channel.ts';

test.each([
  [0, 'muted'],
  [1, 'ok'],
  [1000, 'ok'],
  [1001, 'lime'],
  [3000, 'lime'],
  [3001, 'warn'],
  [5000, 'warn'],
  [5001, 'bad'],
])('a response in %i ms is %s', (milliseconds, tone) => {
  expect(responseTone(milliseconds)).toBe(tone);
});

test.each([
  [15, 'APIKey|SecretKey'],
  [18, 'APPID|APISecret|APIKey'],
  [22, 'APIKey-AppId'],
  [23, 'AppId|SecretId|SecretKey'],
  [33, 'Ak|Sk|Region'],
  [41, 'service account JSON'],
])('the key of type %i is hinted at as %s', (type, hint) => {
  expect(typeGuides[type]?.keyHint).toBe(hint);
});
