import { createHmac } from 'node:crypto';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { Sender } from '#core/outbound.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/vault.ts';
import type { CheckUrl } from './channel-rules.ts';
import type { Notice } from './channel-notices.ts';
import { readReply } from './read-reply.ts';
import { readUserSetting } from './user-setting.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;

export interface NotifyDeps {
  readonly mailer: () => Mailer | undefined;
  readonly sender: Pick<Sender, 'send'>;
  readonly checkUrl: CheckUrl;
  readonly siteName: () => string;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly clock: Clock;
}

export type NotifyUser = (user: User, notice: Notice) => Promise<void>;

/** Tells somebody something the way their settings ask for: a webhook, else a mail; nothing where neither is set up. */
export const createNotifyUser =
  (deps: NotifyDeps): NotifyUser =>
  async (user, notice) => {
    const setting = readUserSetting(user, deps.vault);
    if (setting.notifyType === 'webhook' && setting.webhookUrl !== '') {
      await callWebhook(deps, setting.webhookUrl, setting.webhookSecret, notice);
      return;
    }
    const to = setting.notificationEmail || user.email;
    const mailer = deps.mailer();
    if (to === '' || mailer === undefined || !mailer.isReady()) return;
    const frame = { to, siteName: deps.siteName(), language: 'zh' } as const;
    await mailer.send(mailPage(frame, { subject: notice.title, lines: [notice.text] }));
  };

/** POST with the secret as bearer, and the body signed with it: `X-Webhook-Signature` is its HMAC-SHA-256 in hex. */
const callWebhook = async (deps: NotifyDeps, url: string, secret: string, notice: Notice): Promise<void> => {
  if (!url.startsWith('https://')) throw new AppError('refused', 'a webhook address must be https');
  deps.checkUrl(url);
  const body = JSON.stringify({
    type: notice.kind,
    title: notice.title,
    content: notice.text,
    timestamp: Math.floor(deps.clock.now() / 1000),
  });
  const headers = {
    'content-type': 'application/json',
    ...(secret === ''
      ? {}
      : {
          authorization: `Bearer ${secret}`,
          'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
        }),
  };
  const reply = await deps.sender.send(
    { method: 'POST', url, headers, body },
    AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  );
  const { status } = await readReply(reply);
  if (status >= 300) throw new AppError('upstream_failed', `the webhook answered ${String(status)}`);
};
