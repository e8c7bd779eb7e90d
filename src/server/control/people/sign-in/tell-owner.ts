import type { Language } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Log } from '#core/logging.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import { readUserSetting } from '../user-setting.ts';

/** What changed in the ways into an account. */
export type AccessChange =
  | 'password'
  | 'email'
  | 'passkey'
  | 'identity'
  | 'access_token'
  | 'second_factor_off'
  | 'closed';

export interface TellOwnerDeps {
  readonly mail: Mailer;
  /** Limits mails to one mailbox. */
  readonly mailLimit: Pick<RateLimiter, 'take'>;
  readonly options: () => Pick<OptionValues, 'SystemName' | 'DefaultLanguage'>;
  readonly log: Log;
}

/**
 * Notifies the owner by mail that a way into the account has changed, so that the victim of a stolen session or
 * password learns of it. Uses the account's address from before the change, because a thief could redirect other
 * notices. Does not wait, and never fails the change itself.
 * @param user as before the change
 */
export type TellOwner = (user: User, change: AccessChange) => void;

export const createTellOwner = (deps: TellOwnerDeps): TellOwner => {
  const tell = async (user: User, change: AccessChange): Promise<void> => {
    const { email: to, username } = user;
    if (to === '' || !deps.mail.isReady()) return;
    if (!(await deps.mailLimit.take(`access ${to}`)).ok) return;
    const { SystemName: siteName, DefaultLanguage } = deps.options();
    const language = readUserSetting(user.setting).language ?? DefaultLanguage;
    const { what, lines, toDo, toDoClosed } = WORDS[language];
    const content = {
      subject: what[change],
      lines: [lines(username, what[change]), ...(change === 'closed' ? toDoClosed : toDo)],
    };
    await deps.mail.send(mailPage({ to, siteName, language }, content));
  };
  return (user, change) =>
    void tell(user, change).catch((error: unknown) =>
      deps.log.warn('a mail about a change of sign-in was not sent', { error, userId: user.id }),
    );
};

const WORDS: Readonly<
  Record<
    Language,
    {
      readonly what: Readonly<Record<AccessChange, string>>;
      readonly lines: (username: string, what: string) => string;
      /** What the owner should do if somebody else made the change. */
      readonly toDo: readonly string[];
      readonly toDoClosed: readonly string[];
    }
  >
> = {
  en: {
    what: {
      password: 'Your password was changed',
      email: 'Your account has another e-mail address',
      passkey: 'A passkey was added',
      identity: 'An account of another service was bound',
      access_token: 'An access token was made',
      second_factor_off: 'Two-step sign-in was turned off',
      closed: 'Your account was closed',
    },
    lines: (username, what) => `${what} (account ${username}).`,
    toDo: [
      'If it was not you, sign in, change your password, end all other sessions, and look at your passkeys and bound accounts.',
      'If you cannot sign in, write to whoever runs this site.',
    ],
    toDoClosed: ['If it was not you, write to whoever runs this site.'],
  },
  zh: {
    what: {
      password: '你的密码已更改',
      email: '你的账户已换绑邮箱',
      passkey: '已添加通行密钥',
      identity: '已绑定第三方账号',
      access_token: '已生成系统访问令牌',
      second_factor_off: '两步验证已关闭',
      closed: '你的账户已注销',
    },
    lines: (username, what) => `${what}（账户 ${username}）。`,
    toDo: [
      '如果不是你本人操作，请立即登录并修改密码、退出其他会话，再检查通行密钥和绑定的账号；如果无法登录，请联系本站管理员。',
    ],
    toDoClosed: ['如果不是你本人操作，请联系本站管理员。'],
  },
};
