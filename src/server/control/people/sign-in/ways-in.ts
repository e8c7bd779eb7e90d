import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import { type ServiceName, serviceNames, signInServices } from '#contract/sign-in-services.ts';
import type { User } from '#core/user/user.ts';
import type { WaysIn } from '#core/user/ways-in.ts';

/** Whether the operator has switched this service on. */
export const isServiceOn = (options: OptionValues, service: ServiceName): boolean =>
  options[signInServices[service].options.on];

/** The ways in which a user can currently sign in; the super admin's password always counts. */
export const waysInOf = (options: OptionValues, user: User): WaysIn => ({
  password: options.PasswordLoginEnabled || isRoot(user),
  passkeys: options.PasskeyLoginEnabled,
  services: serviceNames.filter((service) => isServiceOn(options, service)),
});
