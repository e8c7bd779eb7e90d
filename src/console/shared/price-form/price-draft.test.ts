import { describe, expect, it } from 'vitest';
import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { dimensionsOf, draftOf, wrongFields } from './price-draft.ts';

const whole = {
  context: {
    counts: 'without_cache',
    charges: 'call',
    steps: [
      { above: 1000, input: 2, output: 1.5 },
      { from: 5000, input: 3, call: 2 },
    ],
  },
  tiers: { flex: 0.5, priority: { input: 2, output: 2, longContext: 'step' } },
  speeds: { fast: 6 },
  hours: [{ zone: 'Asia/Shanghai', from: '22:00', to: '08:00', days: ['sat', 'sun'], factor: 0.8 }],
  media: { seconds: { usual: 8 }, resolutions: { '720p': 1, '1792x1024': 3 } },
  ratios: { oneHour: 1.6 },
};

const draft = draftOf(modelDimensions.parse(whole));

describe('the form of a price', () => {
  it.each([
    ['everything it can have', whole],
    ['nothing', {}],
    ['no steps in place of the built-in ones', { context: { counts: 'prompt', charges: 'call', steps: [] } }],
  ])('preserves %s', (_, dimensions) => {
    expect(dimensionsOf(draftOf(modelDimensions.parse(dimensions)))).toEqual(dimensions);
  });

  it('writes two of one name as a value that is refused, instead of losing one of them', () => {
    const [one] = draft.tiers;
    const twice = { ...draft, tiers: one === undefined ? [] : [one, { ...one, shares: { all: 2 } }] };
    expect(modelDimensions.safeParse(dimensionsOf(twice)).success).toBe(false);
  });

  it('reports no error for valid values', () => {
    expect([...wrongFields(draft)]).toEqual([]);
  });

  const [step, second] = draft.steps;
  const [flex] = draft.tiers;
  const [hours] = draft.hours;
  if (!step || !second || !flex || !hours) throw new Error('the draft has lost a part');
  const hoursWith = (change: object) => ({ hours: [{ ...hours, ...change }] });

  it.each([
    ['steps.1.tokens', { steps: [second, step] }],
    ['steps.0.tokens', { steps: [{ ...step, tokens: undefined }] }],
    ['steps.0.input', { steps: [{ ...step, shares: { input: -1 } }] }],
    ['steps.0.output', { charges: 'excess' as const, steps: [step] }],
    ['tiers.0.name', { tiers: [{ ...flex, name: 'Flex Tier' }] }],
    ['tiers.0.name', { tiers: [{ ...flex, name: '' }] }],
    ['tiers.1.name', { tiers: [flex, flex] }],
    ['tiers.0.all', { tiers: [{ ...flex, shares: { all: 1001 } }] }],
    ['tiers.0.output', { tiers: [{ ...flex, shares: { output: 1001 } }] }],
    ['seconds', { seconds: 0 }],
    ['resolutions.0.name', { resolutions: [{ name: 'Full HD', factor: 1 }] }],
    [
      'resolutions.1.name',
      {
        resolutions: [
          { name: '720p', factor: 1 },
          { name: '720p', factor: 2 },
        ],
      },
    ],
    ['resolutions.0.factor', { resolutions: [{ name: '720p', factor: undefined }] }],
    ['hours.0.zone', hoursWith({ zone: 'Mars/Olympus' })],
    ['hours.0.from', hoursWith({ from: '' })],
    ['hours.0.all', hoursWith({ shares: { all: -1 } })],
    ['hours.0.cacheRead', hoursWith({ shares: { cacheRead: -1 } })],
  ])('reports that %s is wrong', (field, change) => {
    expect([...wrongFields({ ...draft, ...change })]).toEqual([field]);
  });
});
