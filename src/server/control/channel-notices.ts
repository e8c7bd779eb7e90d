import { role } from '#contract/codes.ts';
import { type MessageKey, say } from '#contract/messages.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';

const NOTICES_MAX = 2;
const WINDOW_MS = 10 * 60_000;

/** Something an admin should know. */
export interface Notice {
  readonly kind: 'channel_disabled' | 'channel_enabled' | 'channels_tested' | 'quota_exceed';
  readonly title: string;
  readonly text: string;
}

interface NoticeDeps {
  readonly users: Pick<UserStore, 'ofRole'>;
  /** Reaches somebody the way they chose: by mail or by webhook. */
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
 * Tells the super admin of channels that switched themselves off or on, at most twice in ten minutes of the same
 * channel and kind. Returns at once; what cannot be delivered is in the server's log.
 */
export const createChannelNotices = (deps: NoticeDeps) => {
  const told = new Map<string, number[]>();

  const mayTell = (key: string): boolean => {
    const nowMs = deps.clock.now();
    const recent = (told.get(key) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
    if (recent.length >= NOTICES_MAX) return false;
    told.set(key, [...recent, nowMs]);
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
    tell(kind: 'disabled' | 'enabled', { id, name }: NamedChannel, reason: string): void {
      if (!mayTell(`${kind} ${String(id)}`)) return;
      const words = (key: MessageKey): string => say(key, 'zh', { id, name, reason });
      sendLater({
        kind: `channel_${kind}`,
        title: words(`notice_${kind}_title`),
        text: words(`notice_${kind}_text`),
      });
    },

    tellTested(total: number, failed: number): void {
      sendLater({
        kind: 'channels_tested',
        title: say('notice_tested_title', 'zh'),
        text: say('notice_tested_text', 'zh', { total, failed }),
      });
    },
  };
};
