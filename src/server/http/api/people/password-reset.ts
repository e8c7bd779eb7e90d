import type * as contract from '#contract/api/password-reset.ts';
import type { HumanCheck } from '../../../control/people/human-check.ts';
import type { PasswordReset } from '../../../control/people/password-reset.ts';
import type { Handlers } from '../../handler.ts';

/** A forgotten password. */
export const passwordResetHandlers = ({
  passwordReset,
  humanCheck,
}: {
  readonly passwordReset: PasswordReset;
  readonly humanCheck: HumanCheck;
}): Handlers<typeof contract> => ({
  requestPasswordReset: async ({ query }, { language, ip }) => {
    await humanCheck(query.turnstile ?? '', ip);
    passwordReset.request(query.email, language);
    return null;
  },
  resetPassword: ({ body }, { ip }) => passwordReset.confirm(body.email, body.token, ip),
});
