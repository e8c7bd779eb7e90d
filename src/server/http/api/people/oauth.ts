import type * as contract from '#contract/api/people/oauth.ts';
import type { Entered } from '../../../control/people/sign-in/entry.ts';
import type { IdentityAccounts } from '../../../control/people/identities/identity-accounts.ts';
import type { MessengerIdentities } from '../../../control/people/identities/messenger-identities.ts';
import type { SignInElsewhere, Visitor } from '../../../control/people/identities/sign-in-elsewhere.ts';
import { sayError } from '../../../control/refuse.ts';
import { type Sessions, sha256 } from '../../../control/people/sign-in/sessions.ts';
import type { Handlers, PublicCall } from '../../handler.ts';
import { sessionUserWire } from './user-wire.ts';

interface OauthDeps {
  readonly signInElsewhere: SignInElsewhere;
  readonly identityAccounts: IdentityAccounts;
  readonly messengers: MessengerIdentities;
  readonly sessions: Sessions;
}

const visitorOf = async ({ whoever, askAgain, browserId, origin }: PublicCall): Promise<Visitor> => ({
  actor: await whoever(),
  askAgain,
  browser: browserId,
  origin,
});

/** Signing in with other services, and binding them to an account. */
export const oauthHandlers = (deps: OauthDeps): Handlers<typeof contract> => {
  const { signInElsewhere, identityAccounts, messengers } = deps;

  const answer = async (entered: Entered, call: PublicCall) => {
    if ('ticket' in entered) return { require_2fa: true as const, ticket: entered.ticket };
    if (call.sessionId !== undefined) await deps.sessions.end(sha256(call.sessionId));
    call.setSession(entered.sessionId);
    return sessionUserWire(entered.user);
  };
  // These endpoints change something although they are GET, so only our own pages may call them.
  const ours = (call: PublicCall): void => {
    if (!call.sameOrigin) throw sayError('forbidden', 'cross_site');
  };

  return {
    oauthState: async ({ query }, call) => {
      ours(call);
      const visitor = await visitorOf(call);
      const begun = await signInElsewhere.begin(query.provider, query.aff ?? '', visitor);
      call.setBrowserId(begun.browser);
      return { data: begun.state, fields: { authorize_url: begun.authorizeUrl } };
    },
    oauthCallback: async ({ params, query }, call) => {
      ours(call);
      const visitor = await visitorOf(call);
      const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
      const search = new URLSearchParams(given as [string, string][]);
      const outcome = await signInElsewhere.finish(params.provider, search, visitor, call);
      return outcome === 'bound'
        ? { data: null, fields: { message: 'bind' } }
        : { data: await answer(outcome, call), fields: { message: '' } };
    },
    unbindIdentity: async ({ params }, { actor }) => {
      await identityAccounts.unbind(actor, params.provider);
      return null;
    },
    wechatLogin: async ({ query }, call) => {
      ours(call);
      const id = await messengers.wechat(query.code, call.ip);
      const identity = { id, username: '', displayName: 'WeChat User' };
      return answer(await identityAccounts.enter('wechat', identity, query.aff, call), call);
    },
    wechatBind: async ({ query }, { actor, askAgain, ip }) => {
      const id = await messengers.wechat(query.code, ip, actor.user.id);
      await askAgain();
      await identityAccounts.bind(actor.user, 'wechat', id);
      return null;
    },
    telegramLogin: async ({ query }, call) => {
      ours(call);
      return answer(
        await identityAccounts.enterBound('telegram', await messengers.telegram(query), call),
        call,
      );
    },
    telegramBind: async ({ query }, { actor }) => {
      await identityAccounts.bind(actor.user, 'telegram', await messengers.telegram(query));
      return null;
    },
  };
};
