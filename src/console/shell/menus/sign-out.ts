import { logout } from '#contract/api/people/session.ts';
import { askToDiscard } from '../../kit/dialogs/use-leave-guard.ts';
import { hasDraft } from '../../lib/browser/draft.ts';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { t } from '../../lib/text/i18n.ts';
import { endSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';

/**
 * Ends the session; `leave` goes to a page for visitors. A failure is shown in a toast. It asks about unsaved changes
 * first: once the session has ended they cannot be saved.
 */
export const signOut = async (leave: () => Promise<void>): Promise<void> => {
  if (hasDraft() && !(await askToDiscard())) return;
  try {
    await call(logout);
    await leave();
    endSession();
    toast('ok', t('shell.loggedOut'));
  } catch (error) {
    toast('bad', messageOf(error));
  }
};
