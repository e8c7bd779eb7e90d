import { expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import type { PoolKey } from '../keys/pool.ts';
import { channelRowOf } from '../testing/channel.ts';
import { ask, routingOf } from '../testing/selecting.ts';
import { explainSelection } from './explain-selection.ts';

const KEYS = 1000;
const OPEN_EVERY = 100;

const keyOf = (id: number): PoolKey => ({
  id,
  channelId: 1,
  label: '',
  tail: '',
  key: new Secret('k'),
  weight: 1,
  state: { status: 'enabled', reason: '', untilMs: 0, rounds: 0 },
  limits: { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 },
  proxy: undefined,
});

it('the least-used of a few open keys among many closed is looked for once from each of them', () => {
  const pool = Array.from({ length: KEYS }, (_, at) => keyOf(at + 1));
  const plain = routingOf(channelRowOf(1));
  const channels = new Map(
    [...plain.channels].map(([id, one]) => [id, { ...one, pool, poolMode: 'least_used' as const }]),
  );
  let compared = 0;
  const { keys, ...input } = ask();
  const { channels: explained } = explainSelection(
    { ...plain, channels },
    {
      ...input,
      isCooling: (_, keyId) => keyId % OPEN_EVERY !== 0 && keyId !== 0,
      keys: {
        ...keys,
        usesOf: (keyId) => {
          compared += 1;
          return keyId;
        },
      },
    },
  );
  const open = KEYS / OPEN_EVERY;
  expect(compared).toBe(open * open);
  // The one that was used least is found from everywhere.
  expect(explained[0]?.keys.slice(0, 2).map(({ id, chance }) => [id, chance.toFixed(9)])).toEqual([
    [OPEN_EVERY, '1.000000000'],
    [2 * OPEN_EVERY, '0.000000000'],
  ]);
});
