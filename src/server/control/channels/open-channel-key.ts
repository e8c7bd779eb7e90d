import type { ChannelRow } from '#core/channel/channel.ts';
import type { ChannelKeyRow } from '#core/channel/keys/channel-key-store.ts';
import { channelKeyPlace, poolKeyPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { openedOrRefused } from '../open-sealed.ts';

type Opener = Pick<Vault, 'decrypt'>;

/** Decrypts the only key of a channel. Throws in words if it was damaged: it can be entered again. */
export const openChannelKey = (
  vault: Opener,
  { id, encryptedKey: sealed }: Pick<ChannelRow, 'id' | 'encryptedKey'>,
): string =>
  openedOrRefused({ vault }, { sealed, place: channelKeyPlace(id) }, 'channel_key_damaged', { id });

/** Decrypts a key of a channel that has several. Throws in words if it was damaged. */
export const openPoolKey = (
  vault: Opener,
  {
    channelId: id,
    keyMac,
    encryptedKey: sealed,
  }: Pick<ChannelKeyRow, 'channelId' | 'keyMac' | 'encryptedKey'>,
): string =>
  openedOrRefused({ vault }, { sealed, place: poolKeyPlace(id, keyMac) }, 'channel_key_damaged', { id });
