import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Mailer } from '#core/mail.ts';
import { createLogClearing } from '../control/site/log-clearing.ts';
import { createPasswordReset } from '../control/people/sign-in/password-reset.ts';
import type { PasswordGuesses } from '../control/people/sign-in/password-guesses.ts';
import type { Passwords } from '../control/people/sign-in/passwords.ts';
import { createRedemptions } from '../control/wallet/redemptions.ts';
import type { Sessions } from '../control/people/sign-in/sessions.ts';
import { createProofs } from '../control/wallet/proofs.ts';
import { createSealKeys } from '../control/wallet/seal-keys.ts';
import { createSeals } from '../control/wallet/seals.ts';
import { createStatements } from '../control/wallet/statements.ts';
import { createUsageLinks } from '../control/people/usage-links.ts';
import { createTopUps } from '../control/wallet/top-ups.ts';
import {
  createLinkLimit,
  createMailLimit,
  createOrderLimit,
  createRedeemLimit,
} from '../limits/api-limits.ts';
import { createDurableLimits, type MakeLimiter } from '../limits/durable-limits.ts';
import { createEpay, orderInNotice } from '../payment/epay.ts';
import { sealCrypto } from '../seal-crypto.ts';
import type { Stores } from '../store/open-stores.ts';

interface WalletParts extends Omit<Stores, 'options'> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly guesses: PasswordGuesses;
  readonly counted: MakeLimiter;
}

/** Payments, codes, statements and links to usage, log clearing, and password reset. */
export const composeWallet = (
  parts: WalletParts,
  options: () => OptionValues,
  sessions: Sessions,
  mail: Mailer,
) => {
  const durableLimits = createDurableLimits(parts.counts, parts.clock);
  const statements = createStatements({ ...parts, unitsPerDollar: () => options().QuotaPerUnit });
  const sealKeys = createSealKeys({ ...parts, sealCrypto });
  const seals = createSeals({ ...parts, sealCrypto, sealKeys });
  return {
    redemptions: createRedemptions({ ...parts, redeemLimit: createRedeemLimit(durableLimits) }),
    topUps: createTopUps({
      ...parts,
      options,
      gateway: createEpay,
      orderInNotice,
      orderLimit: createOrderLimit(durableLimits),
    }),
    usageLinks: createUsageLinks({ ...parts, openLimit: createLinkLimit(parts.counted) }),
    statements,
    seals,
    proofs: createProofs({ ...parts, statements, sealCrypto, sealKeys, sealSoon: seals.sealSoon }),
    logClearing: createLogClearing({ ...parts, sealNow: seals.sealNow }),
    passwordReset: createPasswordReset({
      ...parts,
      options,
      sessions,
      mail,
      mailLimit: createMailLimit(durableLimits),
    }),
  };
};
