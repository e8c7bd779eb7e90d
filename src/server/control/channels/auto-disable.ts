import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { Clock } from '#core/clock.ts';
import { phraseOf, shownText } from '#core/log/shown-phrase.ts';
import type { Log } from '#core/logging.ts';
import type { ChannelNotices } from './channel-notices.ts';

interface AutoDisableDeps {
  readonly channels: Pick<ChannelStore, 'autoDisable' | 'byId'>;
  readonly notices: Pick<ChannelNotices, 'tell'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Disables a channel once, takes it out of the routing and notifies the admins. Returns at once. `reason` is a phrase
 * of the message table, or the upstream's own message.
 */
export const createAutoDisable =
  ({ channels, notices, refreshRouting, clock, log }: AutoDisableDeps) =>
  (channelId: number, reason: string): void => {
    const run = async (): Promise<void> => {
      if (!(await channels.autoDisable(channelId, reason, clock.now()))) return;
      log.warn('a channel was switched off', { channel: channelId, reason: shownText(reason, 'en') });
      await refreshRouting();
      const row = await channels.byId(channelId);
      if (row !== undefined) notices.tell('disabled', row, phraseOf(reason));
    };
    run().catch((error: unknown) =>
      log.error('a channel could not be switched off', { channel: channelId, error }),
    );
  };
