import { oauthState } from '#contract/api/people/oauth.ts';
import type { OauthName } from '#contract/sign-in-services.ts';
import { callWhole } from '../server/api.ts';
import { messageOf } from '../server/api-error.ts';
import { sessionUser } from './session.ts';
import { toast } from '../toasts.ts';

/** Opens the page of a service in a new window; it comes back to /oauth/<service>. Source: specification, external. */
export const openIdentityService = async (service: OauthName, inviteCode?: string): Promise<void> => {
  // Opened before anything is awaited, because browsers block windows that open later than the click. A signed-in user
  // binds an account and may first have to confirm their identity; a new window would hide that dialog.
  const opened = sessionUser() === undefined ? window.open('', '_blank') : null;
  try {
    const query = { provider: service, ...(inviteCode === undefined ? {} : { aff: inviteCode }) };
    const { authorize_url } = await callWhole(oauthState, { query });
    const url = String(authorize_url);
    const shown = opened ?? window.open('', '_blank');
    if (shown === null) location.href = url;
    else shown.location.href = url;
  } catch (error) {
    opened?.close();
    toast('bad', messageOf(error));
  }
};
