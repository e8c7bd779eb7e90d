import { CHANNEL_KEYS_MAX } from '#contract/limits.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { PoolMode } from '#core/channel/keys/pool.ts';
import type { Clock } from '#core/clock.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { readKeys } from '../channel-rules.ts';
import type { PastedKey } from './pasted-keys.ts';
import { newKey } from './pool-keys.ts';

interface MakePoolDeps {
  readonly channels: Pick<ChannelStore, 'update' | 'delete'>;
  readonly channelKeys: Pick<ChannelKeyStore, 'add'>;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** Adds all keys to a newly created channel; if that fails, the channel is removed. */
export const makePool = async (
  { vault, channels, channelKeys, clock }: MakePoolDeps,
  id: number,
  pasted: readonly PastedKey[],
  poolMode: PoolMode,
): Promise<void> => {
  const keys = pasted.map(({ key, label }) => newKey(vault, id, key, { label }));
  try {
    if (keys.length > 1) await channelKeys.add(id, keys, { limit: CHANNEL_KEYS_MAX, nowMs: clock.now() });
    await channels.update(id, { poolMode });
  } catch (thrown) {
    await channels.delete(id);
    throw thrown;
  }
};

/** Replaces all keys of a channel that has several. */
export const replaceKeys = async (
  { vault, channelKeys, clock }: Pick<MakePoolDeps, 'vault' | 'channelKeys' | 'clock'>,
  { id, type }: ChannelRow,
  text: string,
): Promise<void> => {
  const keys = readKeys(type, text).keys.map(({ key, label }) => newKey(vault, id, key, { label }));
  await channelKeys.add(id, keys, { limit: CHANNEL_KEYS_MAX, nowMs: clock.now(), replacesAll: true });
};
