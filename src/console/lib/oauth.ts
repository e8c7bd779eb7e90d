import { oauthState } from '#contract/api/oauth.ts';
import { callWhole } from './api.ts';
import { messageOf } from './api-error.ts';
import { toast } from './toasts.ts';

/** Services whose own page asks the user. */
export type OauthService = 'github' | 'linuxdo' | 'discord' | 'oidc';

/** Opens the page of a service in a new window; it comes back to /oauth/<service>. Source: specification, external. */
export const openIdentityService = async (service: OauthService, inviteCode?: string): Promise<void> => {
  // Opened before anything is awaited: browsers stop windows that come later than the click.
  const opened = window.open('', '_blank');
  try {
    const query = { provider: service, ...(inviteCode === undefined ? {} : { aff: inviteCode }) };
    const { authorize_url } = await callWhole(oauthState, { query });
    const url = String(authorize_url);
    if (opened === null) location.href = url;
    else opened.location.href = url;
  } catch (error) {
    opened?.close();
    toast('bad', messageOf(error));
  }
};
