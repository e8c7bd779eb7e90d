import { z } from 'zod';
import { parsed } from '#contract/text.ts';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { Sender } from '#core/outbound.ts';
import type { User } from '#core/user/user.ts';
import type { CheckUrl } from './channel-rules.ts';
import type { Notice } from './channel-notices.ts';
import { readReply } from './read-reply.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;

/** What an account's personal settings say about being told things. */
const notifySetting = z.object({
  notify_type: z.string().catch(''),
  webhook_url: z.string().catch(''),
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
});

export interface NotifyDeps {
  readonly mailer: () => Mailer | undefined;
  readonly sender: Pick<Sender, 'send'>;
  readonly checkUrl: CheckUrl;
  readonly siteName: () => string;
  readonly clock: Clock;
}

export type NotifyUser = (user: User, notice: Notice) => Promise<void>;

/** Tells somebody something the way their settings ask for: a webhook, else a mail; nothing where neither is set up. */
export const createNotifyUser =
  (deps: NotifyDeps): NotifyUser =>
  async (user, notice) => {
    const setting = notifySetting.parse(parsed(user.setting) ?? {});
    if (setting.notify_type === 'webhook' && setting.webhook_url !== '') {
      await callWebhook(deps, setting.webhook_url, setting.webhook_secret, notice);
      return;
    }
    const to = setting.notification_email || user.email;
    const mailer = deps.mailer();
    if (to === '' || mailer === undefined || !mailer.isReady()) return;
    const frame = { to, siteName: deps.siteName(), language: 'zh' } as const;
    await mailer.send(mailPage(frame, { subject: notice.title, lines: [notice.text] }));
  };

const callWebhook = async (deps: NotifyDeps, url: string, secret: string, notice: Notice): Promise<void> => {
  if (!url.startsWith('https://')) throw new AppError('refused', 'a webhook address must be https');
  deps.checkUrl(url);
  const headers = {
    'content-type': 'application/json',
    ...(secret !== '' && { authorization: `Bearer ${secret}` }),
  };
  const body = JSON.stringify({
    type: notice.kind,
    title: notice.title,
    content: notice.text,
    timestamp: Math.floor(deps.clock.now() / 1000),
  });
  const reply = await deps.sender.send(
    { method: 'POST', url, headers, body },
    AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  );
  const { status } = await readReply(reply);
  if (status >= 300) throw new AppError('upstream_failed', `the webhook answered ${String(status)}`);
};
