import { role } from '#contract/codes.ts';
import type { Phrase, PhraseValues } from '#contract/messages.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';

const NOTICES_MAX = 2;
/** Of all channels together: an upstream that is away takes many with it. */
const NOTICES_OF_ALL_MAX = 20;
const WINDOW_MS = 10 * 60_000;
const ALL = '';

/** A notice, not translated yet. */
export interface Notice {
  readonly kind: 'channel_disabled' | 'channel_enabled' | 'channels_tested' | 'quota_exceed';
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
 * Notifies the super admin of channels that were disabled or enabled automatically, at most twice in ten minutes for
 * the same channel and kind, and twenty times for all. Returns at once; failed deliveries are logged.
 */
export const createChannelNotices = (deps: NoticeDeps) => {
  const told = new Map<string, number[]>();

  const mayTell = (key: string): boolean => {
    const nowMs = deps.clock.monotonic();
    const recentOf = (of: string) => (told.get(of) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
    const [recent, all] = [recentOf(key), recentOf(ALL)];
    if (recent.length >= NOTICES_MAX || all.length >= NOTICES_OF_ALL_MAX) return false;
    told.set(key, [...recent, nowMs]);
    told.set(ALL, [...all, nowMs]);
    return true;
  };

  const send = async (notice: Notice): Promise<void> => {
    for (const user of await deps.users.ofRole(role.root)) {
      await deps.notify(user, notice).catch((error: unknown) => {
        deps.log.warn('a notice was not delivered', { user: user.id, kind: notice.kind, error });
      });
    }
  };

  const sendLater = (notice: Notice): void =>
    void send(notice).catch((error: unknown) => deps.log.error('a notice failed', { error }));

  return {
    /** `reason`: a phrase of ours, or the upstream's own words. */
    tell(kind: 'disabled' | 'enabled', { id, name }: NamedChannel, reason: Phrase | string): void {
      if (!mayTell(`${kind} ${String(id)}`)) return;
      const values: PhraseValues = { id, name, reason };
      sendLater({
        kind: `channel_${kind}`,
        title: { key: `notice_${kind}_title`, values },
        text: { key: `notice_${kind}_text`, values },
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
