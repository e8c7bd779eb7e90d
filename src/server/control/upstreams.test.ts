import { expect, it } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secret.ts';
import type { User } from '#core/user/user.ts';
import { createUpstreams } from './upstreams.ts';

const formatOf = (name: string) => ({
  name,
  writeRequest: () => ({}),
  readError: (status: number) => new AppError('upstream_failed', `${name} read ${status}`),
  tapWhole: () => ({ usage: noUsage }),
});
/** A host that sells models of two makers, each in its own format. */
const host = {
  operations: ['chat'],
  dialect: formatOf('the usual format'),
  dialectFor: (model: string) => formatOf(`the format of ${model}`),
  address: () => ({ url: 'https://host.example', headers: {} }),
};
const channel = {
  id: 1,
  type: 41,
  key: new Secret('k'),
  models: ['claude-x'],
  modelMapping: new Map(),
  setting: {},
  paramOverride: {},
  testModel: '',
} as unknown as Channel;

it('an error of a test is read in the format the tested model is spoken in', async () => {
  const upstreams = createUpstreams({
    upstreamOf: () => host,
    sender: {
      send: async () => ({
        status: 400,
        headers: {},
        body: Object.assign((async function* () {})(), { discard: () => {} }),
      }),
    },
    channels: { update: async () => undefined },
    ledger: {
      hold: async () => 'held',
      void: async () => ({ state: 'missing' }),
      settle: async () => ({ state: 'missing' }),
    },
    checkUrl: () => undefined,
    clock: { now: () => 1, monotonic: () => 1 },
    random: { unit: () => 0, alphanumeric: () => 'a' },
  } as Parameters<typeof createUpstreams>[0]);
  const outcome = await upstreams.check({ id: 1, username: 'root', group: 'default' } as User, channel, '');
  expect(outcome.error?.message).toBe('the format of claude-x read 400');
});
