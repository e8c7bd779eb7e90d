import type { Language } from '#contract/messages.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { User } from '#core/user/user.ts';
import { refuse } from '../refuse.ts';

const TEXTS = {
  en: { subject: 'Test mail', line: 'The mail server of this site works.' },
  zh: { subject: '测试邮件', line: '本站的邮件服务器工作正常。' },
} as const;

/** Tests the current mail settings by a mail to the given address, else to the admin. */
export const testMail = async (
  deps: { readonly mail: Mailer; readonly siteName: () => string },
  asker: User,
  wanted: string,
  language: Language,
): Promise<void> => {
  const to = wanted || asker.email;
  if (to === '') throw refuse('email_needed');
  const { subject, line } = TEXTS[language];
  await deps.mail.send(mailPage({ to, siteName: deps.siteName(), language }, { subject, lines: [line] }));
};
