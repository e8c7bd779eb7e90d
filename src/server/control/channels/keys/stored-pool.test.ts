import { expect, it } from 'vitest';
import type { ChannelKeyRow } from '#core/channel/keys/channel-key-store.ts';
import { seatOf } from '#core/channel/seats/seat.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { StoredPool, type KeyOpeners } from './stored-pool.ts';

const rowOf = (id: number, changes: Partial<ChannelKeyRow> = {}): ChannelKeyRow => ({
  id,
  channelId: 7,
  label: '',
  tail: `t${String(id)}`,
  encryptedKey: `sealed.${String(id)}`,
  keyMac: `mac-${String(id)}`,
  status: 'enabled',
  reason: '',
  untilMs: 0,
  rounds: 0,
  proxy: '',
  proxyPassword: '',
  weight: 1,
  limits: '',
  revision: 1,
  usedQuotaUnits: 0,
  createdAtMs: 1,
  changedAtMs: 1,
  testedAtMs: 0,
  ...changes,
});

const opened: string[] = [];
const openers = {
  openKey: ({ id, channelId, encryptedKey, keyMac }: Parameters<KeyOpeners['openKey']>[0]) => {
    opened.push(`${id} of ${channelId}: ${encryptedKey} ${keyMac}`);
    return `key ${id}`;
  },
  openPassword: (sealed: string) => `opened ${sealed}`,
};
const poolOf = (version: number, rows: readonly ChannelKeyRow[], last?: StoredPool) =>
  new StoredPool({ id: 7, version }, rows, openers, last);

it('has the fields of each row, and decrypts a key once, when it is sent', () => {
  opened.length = 0;
  const limits = { callsPerMinute: 3, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
  const { keys } = poolOf(1, [
    rowOf(3),
    rowOf(5, { label: 'the ñ one', tail: '', keyMac: 'más', weight: 4, limits: JSON.stringify(limits) }),
    rowOf(9, {
      tail: 'niñe',
      status: 'spent',
      reason: 'no money',
      untilMs: 12,
      rounds: 2,
      proxy: 'http://user@proxy.example:80',
      proxyPassword: 'sealed',
    }),
  ]);
  expect(keys.map(({ id, channelId, label, tail, weight }) => [id, channelId, label, tail, weight])).toEqual([
    [3, 7, '', 't3', 1],
    [5, 7, 'the ñ one', '', 4],
    [9, 7, '', 'niñe', 1],
  ]);
  expect(keys[1]?.limits).toEqual(limits);
  expect(keys[2]?.state).toEqual({ status: 'spent', reason: 'no money', untilMs: 12, rounds: 2 });
  expect(keys[2]?.proxy?.password?.reveal()).toBe('opened sealed');
  expect([keys[0]?.proxy, keys[0]?.limits.callsPerMinute]).toEqual([undefined, 0]);
  const channel = channelOf(1, { id: 7, pool: keys });
  expect(opened).toEqual([]);
  for (const key of keys)
    for (let n = 0; n < 2; n += 1) expect(seatOf(channel, key).key.reveal()).toBe(`key ${key.id}`);
  expect(opened).toEqual(['3 of 7: sealed.3 mac-3', '5 of 7: sealed.5 más', '9 of 7: sealed.9 mac-9']);
});

it('keys that have not changed stay the same, wherever they stand in the next pool', () => {
  const first = poolOf(1, [rowOf(3), rowOf(5, { label: 'five' }), rowOf(9)]);
  const [, five, nine] = first.keys;
  const second = poolOf(
    2,
    [rowOf(5, { label: 'five' }), rowOf(9, { revision: 2, weight: 8 }), rowOf(11)],
    first,
  );
  expect(second.keys[0]).toBe(five);
  expect([five?.label, five?.tail, five?.key.reveal()]).toEqual(['five', 't5', 'key 5']);
  expect(second.keys[1]).not.toBe(nine);
  expect(second.keys.map(({ weight }) => weight)).toEqual([1, 8, 1]);
});
