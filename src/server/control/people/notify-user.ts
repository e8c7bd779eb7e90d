import { createHmac } from 'node:crypto';
import { type Language, sayPhrase } from '#contract/messages.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { User } from '#core/user/user.ts';
import { webhookPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { CheckUrl } from '../channels/channel-proxy.ts';
import type { Notice } from '../channels/channel-notices.ts';
import { openedOrRefused } from '../open-sealed.ts';
import { readUserSetting } from './user-setting.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;
const TITLE_MAX_CHARACTERS = 200;
const TEXT_MAX_CHARACTERS = 2000;

export interface NotifyDeps {
  readonly mailer: () => Mailer | undefined;
  readonly sender: Pick<Sender, 'send'>;
  readonly checkUrl: CheckUrl;
  readonly siteName: () => string;
  /** For users who chose no language. */
  readonly language: () => Language;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly clock: Clock;
}

/** Sends a notice in the way the user has chosen. Rejects if their webhook or the mail server does not accept it. */
export type NotifyUser = (user: User, notice: Notice) => Promise<void>;

/** A notice in the recipient's language. */
interface WordedNotice extends Pick<Notice, 'kind'> {
  readonly title: string;
  readonly text: string;
}

/** Notifies a user by webhook, else by mail, as their settings say; does nothing if neither is set up. */
export const createNotifyUser =
  (deps: NotifyDeps): NotifyUser =>
  async (user, notice) => {
    const setting = readUserSetting(user.setting);
    const language = setting.language ?? deps.language();
    const { kind } = notice;
    const worded = {
      kind,
      title: inOneLine(sayPhrase(notice.title, language), TITLE_MAX_CHARACTERS),
      text: inOneLine(sayPhrase(notice.text, language), TEXT_MAX_CHARACTERS),
    };
    if (setting.notifyType === 'webhook' && setting.webhookUrl !== '') {
      const sealed = setting.sealedWebhookSecret;
      // Without its signature, the receiver could not tell a notice from a forged one.
      const secret =
        sealed === ''
          ? ''
          : openedOrRefused(deps, { sealed, place: webhookPlace(user.id) }, 'webhook_secret_damaged');
      await callWebhook(deps, setting.webhookUrl, secret, worded);
      return;
    }
    const to = setting.notificationEmail || user.email;
    const mailer = deps.mailer();
    if (to === '' || mailer === undefined || !mailer.isReady()) return;
    const frame = { to, siteName: deps.siteName(), language };
    await mailer.send(mailPage(frame, { subject: worded.title, lines: [worded.text] }));
  };

/** Keeps names and upstream messages from adding lines to a notice that look like ours. */
const inOneLine = (text: string, maxCharacters: number): string =>
  text.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, maxCharacters);

/** POST with the secret as bearer, and the body signed with it: `X-Webhook-Signature` is its HMAC-SHA-256 in hex. */
const callWebhook = async (
  deps: NotifyDeps,
  url: string,
  secret: string,
  worded: WordedNotice,
): Promise<void> => {
  if (!url.startsWith('https://')) throw new AppError('refused', 'a webhook address must be https');
  deps.checkUrl(url);
  const body = JSON.stringify({
    type: worded.kind,
    title: worded.title,
    content: worded.text,
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
    awakeSignal(WEBHOOK_TIMEOUT_MS),
  );
  const { status } = reply;
  // The rest of the response is not read.
  reply.body.discard();
  if (status >= 300) throw new AppError('upstream_failed', `the webhook answered ${String(status)}`);
};
