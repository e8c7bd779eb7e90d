import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Mailer } from '#core/mail.ts';
import type { Sender } from '#core/outbound.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Config } from '../config.ts';
import { createAccounts } from '../control/accounts.ts';
import type { CheckUrl } from '../control/channel-rules.ts';
import { createEntry } from '../control/entry.ts';
import { createHumanCheck } from '../control/human-check.ts';
import { createKnownDevices } from '../control/known-devices.ts';
import { createPasswordGuesses } from '../control/password-guesses.ts';
import type { Passwords } from '../control/passwords.ts';
import { createIdentityAccounts } from '../control/identity-accounts.ts';
import { createMessengerIdentities } from '../control/messenger-identities.ts';
import { createPasskeys } from '../control/passkeys.ts';
import { createPersonal } from '../control/personal.ts';
import { createRescue } from '../control/rescue.ts';
import { createRegistration } from '../control/registration.ts';
import { createSecondFactors } from '../control/second-factor.ts';
import type { Sessions } from '../control/sessions.ts';
import { createSignInElsewhere } from '../control/sign-in-elsewhere.ts';
import { createUserManagement } from '../control/user-management.ts';
import { createVerification } from '../control/verification.ts';
import { createGuessLimits } from '../limits/api-limits.ts';
import { createKeptLimits } from '../limits/kept.ts';
import { createIdentityProviders } from '../oauth/services.ts';
import type { Stores } from '../store/open-stores.ts';

interface Common {
  readonly log: Log;
  readonly config: Config;
  readonly stores: Stores;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly mail: Mailer;
  readonly sender: Pick<Sender, 'send'>;
  readonly checkUrl: CheckUrl;
  readonly relay: { invalidateUser(userId: number): void };
  readonly options: () => OptionValues;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Who people are: accounts, ways in, personal settings, and what admins do with accounts. */
export const composePeople = (common: Common) => {
  const { config, stores, options } = common;
  const deps = { ...stores, ...common };
  const keptLimits = createKeptLimits(stores.counts, common.clock);
  const { codeLimit, ...guessLimits } = createGuessLimits(keptLimits, config.loginLimitPerAccount);
  const guesses = createPasswordGuesses(guessLimits);
  const knownDevices = createKnownDevices(deps);
  const secondFactors = createSecondFactors({
    ...deps,
    siteName: () => options().SystemName,
    codeLimit,
  });
  const entry = createEntry({ ...deps, secondFactors });
  const ownPasskeys = createPasskeys({ ...deps, entry });
  const verification = createVerification(deps);
  const registration = createRegistration({ ...deps, verification });
  const identityAccounts = createIdentityAccounts({ ...deps, entry, registration });
  const providers = createIdentityProviders({ ...deps, addresses: config.serviceUrls });
  return {
    identityAccounts,
    messengers: createMessengerIdentities(deps),
    signInElsewhere: createSignInElsewhere({ ...deps, providers, identityAccounts }),
    secondFactors,
    ownPasskeys,
    entry,
    guesses,
    knownDevices,
    verification,
    registration,
    accounts: createAccounts({
      ...deps,
      entry,
      secondFactors,
      ownPasskeys,
      guesses,
      knownDevices,
    }),
    rescue: createRescue({ ...deps, optionStore: stores.options }),
    personal: createPersonal({ ...deps, verification }),
    userManagement: createUserManagement({ ...deps, registration }),
    humanCheck: createHumanCheck({ ...deps, turnstileUrl: config.serviceUrls.turnstile }),
  };
};
