import type * as contract from '#contract/api/people/password-reset.ts';
import type { PasswordReset } from '../../../control/people/sign-in/password-reset.ts';
import type { Handlers } from '../../handler.ts';

/** A forgotten password. */
export const passwordResetHandlers = ({
  passwordReset,
}: {
  readonly passwordReset: PasswordReset;
}): Handlers<typeof contract> => ({
  requestPasswordReset: async ({ query }, { language }) => {
    passwordReset.request(query.email, language);
    return null;
  },
  resetPassword: ({ body }, { ip }) => passwordReset.confirm(body.email, body.token, ip),
});
