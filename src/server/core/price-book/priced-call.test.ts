import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { priceBuckets } from '../quota/price-factors.ts';
import { pricedText, readKind, usageOf } from './priced-call.ts';

const plain = { usage: noUsage, userGroup: 'default', times: 1, isSelfUse: false, service: {} };

test('each part of the text ends with its last value that is not empty', () => {
  expect(pricedText(plain)).toBe('\t\t||1||default');
  const usage = { ...noUsage, inputTokens: 20, outputTokens: 80, toolCalls: { web_search: 2 } };
  expect(pricedText({ ...plain, usage })).toBe('20,,,,,,80\tweb_search:2\t||1||default');
  const service = { sent: { tier: 'flex' }, served: { place: 'eu' } };
  expect(pricedText({ ...plain, usage: { ...noUsage, cacheReadTokens: 5 }, service, isSelfUse: true })).toBe(
    ',5\t\tflex|//eu|1|s|default',
  );
});

test('a requested term is written down if a price depended on it', () => {
  const media = { seconds: 7.5, words: ['720p', '1280x720'] };
  const text = pricedText({ ...plain, isSelfUse: true, media });
  expect(text).toBe('\t\t||1|sm7.5/720p+1280x720|default');
  expect(readKind('||1|sm7.5/720p+1280x720|default')).toMatchObject({ media, isSelfUse: true });
  expect(readKind('||1|m/|default')).toMatchObject({ media: { words: [] }, isSelfUse: false });
  expect(readKind('||1||default')).not.toHaveProperty('media');
});

const tokens = fc.oneof(fc.constant(0), fc.nat(2_000_000));
const terms = fc.dictionary(fc.constantFrom('tier', 'speed', 'place'), fc.constantFrom('flex', 'fast', 'eu'));

test('whatever a call was charged by reads back as it was', () => {
  fc.assert(
    fc.property(
      fc.tuple(...priceBuckets.map(() => tokens)),
      fc.option(terms, { nil: undefined }),
      terms,
      fc.string(),
      (counts, sent, served, userGroup) => {
        const usage = usageOf(counts, '');
        const kind = { userGroup, times: 2.5, isSelfUse: false, service: { sent, served } };
        const [buckets = '', tools = '', text = ''] = pricedText({ ...kind, usage }).split('\t');
        expect(usageOf(buckets.split(',').map(Number), tools)).toEqual(usage);
        const said = (one: object = {}) => (Object.keys(one).length === 0 ? undefined : { ...one });
        expect(readKind(text)).toEqual({ ...kind, service: { sent: said(sent), served: said(served) } });
      },
    ),
  );
});
