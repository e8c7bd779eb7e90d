// @vitest-environment happy-dom
import { afterAll, beforeAll, expect, it } from 'vitest';
import { language, loadTexts, setLanguage, textsOf } from '../../lib/text/i18n.ts';
import { valueLines, type Words } from './value-words.ts';

let words: Words;
const before = language();

beforeAll(async () => {
  await setLanguage('en');
  await Promise.all([loadTexts('price-book'), loadTexts('price-form')]);
  words = { book: textsOf('price-book'), form: textsOf('price-form') };
});
// Files after this one share the language.
afterAll(() => setLanguage(before));

it('every price dimension is described in the words of its form', () => {
  const value = {
    context: { charges: 'excess', steps: [{ above: 200_000, input: 2 }] },
    tiers: { flex: 0.5, priority: { input: 2, longContext: 'step' } },
    speeds: { fast: 6 },
    places: { us: 1.1 },
    hours: [
      { zone: 'Asia/Shanghai', from: '00:30', to: '08:30', factor: 0.5 },
      { zone: 'UTC', from: '22:00', to: '06:00', days: ['sun', 'sat'], factor: { input: 0.25, output: 1 } },
    ],
    media: { seconds: { usual: 5 }, resolutions: { '1080p': 2 } },
    ratios: { oneHour: 1.6, audioOutput: 2 },
  };
  expect(valueLines('PriceDimensions', value, words)).toEqual([
    'Above 200,000 tokens: Input ×2',
    'What the step applies to: Only the excess',
    'Tier flex: ×0.5',
    'Tier priority: Input ×2',
    'Tier priority: on long prompts only the step counts',
    'Speed fast: ×6',
    'Region us: ×1.1',
    '00:30–08:30 Asia/Shanghai, every day: ×0.5',
    '22:00–06:00 UTC, Sat Sun: Input ×0.25 · Output ×1',
    'Priced per second, 5 when a call does not say',
    'Resolution 1080p: ×2',
    '1-hour cache write ×1.6',
    'Audio output ×2',
  ]);
});

it('group ratios are listed one by one, and an unreadable rule is shown as stored', () => {
  expect(valueLines('GroupGroupRatio', { vip: 0.8, svip: 0.5 }, words)).toEqual(['vip ×0.8', 'svip ×0.5']);
  expect(valueLines('ModelRatio', 1.5, words)).toBeUndefined();
  expect(valueLines('PriceDimensions', null, words)).toBeUndefined();
  expect(valueLines('PriceDimensions', { hours: 'always' }, words)).toBeUndefined();
});
