import { describe, expect, test } from 'vitest';
import { askedTerms, sentTerms, withoutTerms } from './service-terms.ts';

const nested = { model: 'm', extra_body: { generationConfig: { serviceTier: 'priority', top: 1 }, a: 2 } };

describe('a term inside an object that is itself unpacked', () => {
  test('is asked for, sent and taken out like one at the top', () => {
    expect(askedTerms(nested)).toEqual({ tier: 'priority' });
    expect(sentTerms(nested)).toEqual({ tier: 'priority' });
    expect(withoutTerms(nested)).toEqual({
      model: 'm',
      extra_body: { generationConfig: { top: 1 }, a: 2 },
    });
  });

  test('may be one for each maker, as gateways of many have it', () => {
    for (const name of ['providerOptions', 'provider_options']) {
      const body = {
        model: 'm',
        [name]: { openai: { serviceTier: 'priority', a: 1 }, gateway: { sort: 'price' } },
      };
      expect(askedTerms(body)).toEqual({ tier: 'priority' });
      expect(sentTerms({ extra_body: body })).toEqual({ tier: 'priority' });
      expect(withoutTerms(body)).toEqual({
        model: 'm',
        [name]: { openai: { a: 1 }, gateway: { sort: 'price' } },
      });
      expect(() => askedTerms({ ...body, service_tier: 'flex' })).toThrow(/given twice/);
    }
  });

  test('is refused if it is given twice', () => {
    expect(() => askedTerms({ ...nested, service_tier: 'flex' })).toThrow(/given twice/);
    expect(() => askedTerms({ extra_body: { extra_body: { Service_Tier: 'flex' } } })).toThrow(/spell it/);
  });
});
