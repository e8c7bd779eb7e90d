import { role } from '#contract/codes.ts';
import type { Phrase, PhraseValues } from '#contract/messages.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { notifyAll } from '../people/notify-all.ts';

const NOTICES_MAX = 2;
/** For all channels together, because one failing upstream may affect many. */
const NOTICES_OF_ALL_MAX = 20;
const WINDOW_MS = 10 * 60_000;
/** For each model of a channel and group it is sold to. */
const LOSS_WINDOW_MS = 12 * 3_600_000;
const ALL = '';

/** A notice, not translated yet. */
export interface Notice {
  readonly kind:
    | 'channel_loss'
    | 'channel_key'
    | 'channel_disabled'
    | 'channel_enabled'
    | 'channels_tested'
    | 'price_approval'
    | 'quota_exceed';
  readonly title: Phrase;
  readonly text: Phrase;
}

interface NoticeDeps {
  readonly users: Pick<UserStore, 'ofRole'>;
  /** Notifies a user by mail or webhook, as the user chose. */
  readonly notify: (user: User, notice: Notice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

export type ChannelNotices = ReturnType<typeof createChannelNotices>;

/**
 * Notifies the super admin of channels that were automatically disabled or enabled, at most twice in ten minutes for
 * the same channel and kind, and twenty times for all. Returns at once; failed deliveries are logged.
 */
export const createChannelNotices = (deps: NoticeDeps) => {
  const sentAtMs = new Map<string, number[]>();

  const mayTell = (key: string, max = NOTICES_MAX, windowMs = WINDOW_MS): boolean => {
    const nowMs = deps.clock.monotonic();
    const recentOf = (of: string, forMs: number) =>
      (sentAtMs.get(of) ?? []).filter((atMs) => nowMs - atMs < forMs);
    const [recent, all] = [recentOf(key, windowMs), recentOf(ALL, WINDOW_MS)];
    if (recent.length >= max || all.length >= NOTICES_OF_ALL_MAX) return false;
    sentAtMs.set(key, [...recent, nowMs]);
    sentAtMs.set(ALL, [...all, nowMs]);
    return true;
  };

  const send = async (notice: Notice): Promise<void> => {
    await notifyAll(deps, await deps.users.ofRole(role.root), notice);
  };

  const sendLater = (notice: Notice): void =>
    void send(notice).catch((error: unknown) => deps.log.error('a notice failed', { error }));

  return {
    /** `reason` is a phrase of ours, or the upstream's own message. */
    tell(kind: 'disabled' | 'enabled', { id, name }: NamedChannel, reason: Phrase | string): void {
      if (!mayTell(`${kind} ${String(id)}`)) return;
      const values: PhraseValues = { id, name, reason };
      sendLater({
        kind: `channel_${kind}`,
        title: { key: `notice_${kind}_title`, values },
        text: { key: `notice_${kind}_text`, values },
      });
    },

    /** At most twice a day for the same model, channel and group. */
    tellLoss({ id, name }: NamedChannel, model: string, group: string): void {
      if (!mayTell(`loss ${String(id)} ${model} ${group}`, 1, LOSS_WINDOW_MS)) return;
      deps.log.warn('a model is sold below cost', { channel: id, model, group });
      const values: PhraseValues = { id, name, model, group };
      sendLater({
        kind: 'channel_loss',
        title: { key: 'notice_loss_title', values },
        text: { key: 'notice_loss_text', values },
      });
    },

    /** Reports that a key was switched off automatically. */
    tellKey({ id, name }: NamedChannel, key: string, reason: Phrase | string): void {
      if (!mayTell(`key ${String(id)}`)) return;
      const values: PhraseValues = { id, name, key, reason };
      sendLater({
        kind: 'channel_key',
        title: { key: 'notice_key_title', values },
        text: { key: 'notice_key_text', values },
      });
    },

    tellTested(total: number, failed: number): void {
      sendLater({
        kind: 'channels_tested',
        title: { key: 'notice_tested_title' },
        text: { key: 'notice_tested_text', values: { total, failed } },
      });
    },
  };
};
