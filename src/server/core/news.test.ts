import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ITEM_BYTES_MAX, NewsBacklog, type NewsItem, packNews, unpackNews } from './news.ts';

const item = fc.record({ topic: fc.string(), body: fc.string({ unit: 'grapheme', maxLength: 300 }) });

describe('the backlog of news', () => {
  it('keeps the newest in order, within its bounds', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (items, itemsMax) => {
        const backlog = new NewsBacklog(itemsMax, 2000);
        for (const each of items) backlog.add(each);
        const kept = backlog.takeAll();
        expect(kept.length).toBeLessThanOrEqual(itemsMax);
        const chars = kept.reduce((sum, { topic, body }) => sum + topic.length + body.length, 0);
        expect(chars).toBeLessThanOrEqual(2000);
        expect(kept).toEqual(items.slice(items.length - kept.length));
        expect(backlog.takeAll()).toEqual([]);
      }),
    );
  });

  it('keeps as many as it may, also after many were dropped', () => {
    const backlog = new NewsBacklog(3, 1000);
    for (let at = 0; at < 10_000; at++) backlog.add({ topic: 't', body: String(at) });
    expect(backlog.takeAll().map(({ body }) => body)).toEqual(['9997', '9998', '9999']);
    backlog.add({ topic: 't', body: 'next' });
    expect(backlog.size).toBe(1);
    expect(backlog.takeAll()).toEqual([{ topic: 't', body: 'next' }]);
  });

  it('does not take what would be too long to send', () => {
    const backlog = new NewsBacklog(3, 100_000);
    backlog.add({ topic: 't', body: 'x'.repeat(ITEM_BYTES_MAX) });
    expect(backlog.size).toBe(0);
  });
});

describe('batches of news', () => {
  it('read as they were sent, and none is longer than allowed', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 60 }),
        fc.integer({ min: 5000, max: 9000 }),
        (items, bytesMax) => {
          const batches = packNews(items, bytesMax);
          for (const batch of batches) expect(Buffer.byteLength(batch)).toBeLessThanOrEqual(bytesMax);
          expect(batches.flatMap(unpackNews)).toEqual(items);
        },
      ),
    );
  });

  it('leave out only messages too long for a batch', () => {
    const short: NewsItem = { topic: 't', body: 'short' };
    const batches = packNews([short, { topic: 't', body: '\u0000'.repeat(3000) }, short], 7900);
    expect(batches.flatMap(unpackNews)).toEqual([short, short]);
  });

  it('that do not read are ignored', () => {
    for (const text of ['', '{', '7', '[1,2]', '{"topic":"t"}', '["alone"]'])
      expect(unpackNews(text)).toEqual([]);
  });
});
