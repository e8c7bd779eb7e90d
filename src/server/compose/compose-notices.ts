import type { OptionValues } from '#contract/options.ts';
import type { Mailer } from '#core/mail.ts';
import { createNotifyUser, type NotifyDeps } from '../control/notify-user.ts';
import { createQuotaWarnings, type QuotaWarningDeps } from '../control/quota-warnings.ts';

type Deps = Pick<NotifyDeps, 'sender' | 'checkUrl'> &
  Omit<QuotaWarningDeps, 'notify' | 'options'> & {
    readonly options: () => OptionValues;
    readonly mail: Mailer;
  };

/** How people are told things, and what of low balances is told them. */
export const composeNotices = ({ options, mail, ...deps }: Deps) => {
  const notify = createNotifyUser({
    ...deps,
    mailer: () => (mail.isReady() ? mail : undefined),
    siteName: () => options().SystemName,
    language: () => options().DefaultLanguage,
  });
  return { notify, quotaWarnings: createQuotaWarnings({ ...deps, options, notify }) };
};
