import { expect, it } from 'vitest';
import { channelOf, poolKeyOf } from '#core/channel/testing/channel.ts';
import { channelFromWire, channelToWire } from './far-wire.ts';

it('another thread is told the key that is used, and nothing of the others', () => {
  const pool = Array.from({ length: 1000 }, (_, index) => poolKeyOf(index + 1, { label: 'billing account' }));
  const sent = structuredClone(channelToWire(channelOf(1, { pool })));
  expect(sent.pool).toEqual([]);
  expect(JSON.stringify(sent).length).toBeLessThan(1000);
  expect(channelFromWire(sent).key.reveal()).toBe('secret-key');
});
