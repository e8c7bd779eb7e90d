import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Mailer } from '#core/mail.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Config } from '../config.ts';
import { createAccounts } from '../control/people/sign-in/accounts.ts';
import type { CheckUrl } from '../control/channels/channel-proxy.ts';
import { createEntry } from '../control/people/sign-in/entry.ts';
import { createHumanCheck } from '../control/people/sign-in/human-check.ts';
import { createKnownDevices } from '../control/people/sign-in/known-devices.ts';
import { createPasswordGuesses } from '../control/people/sign-in/password-guesses.ts';
import type { Passwords } from '../control/people/sign-in/passwords.ts';
import { createIdentityAccounts } from '../control/people/identities/identity-accounts.ts';
import { createMessengerIdentities } from '../control/people/identities/messenger-identities.ts';
import { createPasskeys } from '../control/people/sign-in/passkeys.ts';
import { createPersonal } from '../control/people/personal.ts';
import { createRescue } from '../control/people/sign-in/rescue.ts';
import { createRegistration } from '../control/people/sign-in/registration.ts';
import { createSecondFactors } from '../control/people/sign-in/second-factor.ts';
import type { Sessions } from '../control/people/sign-in/sessions.ts';
import { createSignInElsewhere } from '../control/people/identities/sign-in-elsewhere.ts';
import { createTellOwner } from '../control/people/sign-in/tell-owner.ts';
import { createUserManagement } from '../control/people/user-management.ts';
import { createVerification } from '../control/people/sign-in/verification.ts';
import { createGuessLimits, createMailLimit, createWechatLimits } from '../limits/api-limits.ts';
import { createDurableLimits } from '../limits/durable-limits.ts';
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
  readonly hooks: { readonly checkUrl: CheckUrl };
  readonly relay: { invalidateUser(userId: number): void };
  readonly options: () => OptionValues;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Accounts, sign-in, personal settings and account management. */
export const composePeople = (common: Common) => {
  const { config, stores, options } = common;
  const durableLimits = createDurableLimits(stores.counts, common.clock);
  const base = { ...stores, ...common, mailLimit: createMailLimit(durableLimits) };
  const deps = { ...base, tellOwner: createTellOwner(base) };
  const { codeLimit, ...guessLimits } = createGuessLimits(durableLimits, config.loginLimitPerAccount);
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
  const providers = createIdentityProviders({ ...deps, places: config.serviceUrls.signIn });
  return {
    identityAccounts,
    messengers: createMessengerIdentities({
      ...deps,
      wechatLimits: createWechatLimits(durableLimits, config.loginLimitPerAccount),
    }),
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
    personal: createPersonal({ ...deps, ...deps.hooks, verification }),
    userManagement: createUserManagement({ ...deps, registration }),
    humanCheck: createHumanCheck({ ...deps, turnstileUrl: config.serviceUrls.turnstile }),
  };
};
