import type { Channel } from './channel.ts';
import type { Routing } from './routing.ts';

/**
 * The channel as it is now, if calls to it still go to the same place with the same key. Otherwise what was found out about it
 * is past: an operator has changed it meanwhile.
 */
export const asTried = (
  { channels }: Pick<Routing, 'channels'>,
  { id, type, baseUrl, other, key }: Channel,
): Channel | undefined => {
  const now = channels.get(id);
  const isSame =
    now?.type === type && now.baseUrl === baseUrl && now.other === other && now.key.reveal() === key.reveal();
  return isSame ? now : undefined;
};
