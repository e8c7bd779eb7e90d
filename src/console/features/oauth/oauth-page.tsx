import './oauth.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { oauthCallback, telegramBind, telegramLogin } from '#contract/api/people/oauth.ts';
import { isOauthName } from '#contract/sign-in-services.ts';
import { call, callWhole } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { sessionUser, startSession } from '../../lib/session/session.ts';
import { takeTelegramState } from '../../shared/telegram-button.tsx';
import { toast } from '../../lib/toasts.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';

type Entered = Awaited<ReturnType<typeof call<typeof telegramLogin>>> | null;

/** Everything the widget signed; the server reports missing fields. */
const signedBy = ({ id = '', auth_date = '', hash = '', ...rest }: UrlState) => ({
  ...rest,
  id,
  auth_date,
  hash,
});

/**
 * Where other services send the browser back to. Source: specification, states: processing, bound, signed in, failed.
 */
const OauthPage = () => {
  const { t } = useTranslation('enter');
  const navigate = useNavigate();
  const { provider = '' } = useParams({ strict: false }) as { readonly provider?: string };
  const search = useSearch({ strict: false }) as UrlState;
  const hasBegun = useRef(false);

  const arrived = async (entered: Entered, home: string): Promise<void> => {
    if (entered === null) {
      toast('ok', t('oauth.bound'));
      await navigate({ to: '/setting' });
    } else if ('require_2fa' in entered) {
      await navigate({ to: '/login', search: { ticket: entered.ticket }, replace: true });
    } else {
      startSession(entered);
      toast('ok', t('oauth.success'));
      await navigate({ to: home, replace: true });
    }
  };
  const finish = useEffectEvent(async (): Promise<void> => {
    // The returned values are valid once, so they are removed from address and history.
    history.replaceState(history.state, '', location.pathname);
    try {
      if (provider === 'telegram') {
        const { purpose, state, ...query } = search;
        if (!takeTelegramState(state)) throw new Error(t('oauth.notAsked'));
        if (purpose === 'bind') {
          await call(telegramBind, { query: signedBy(query) });
          await arrived(null, '/');
        } else await arrived(await call(telegramLogin, { query: signedBy(query) }), '/');
      } else if (isOauthName(provider)) {
        const { data } = await callWhole(oauthCallback, { params: { provider }, query: search });
        await arrived(data, '/token');
      } else await navigate({ to: '/login', replace: true });
    } catch (error) {
      toast('bad', messageOf(error));
      const isOut = sessionUser() === undefined;
      if (isOut) toast('info', t('oauth.failed'));
      await navigate({ to: isOut ? '/login' : '/setting', replace: true });
    }
  });
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void finish();
  }, []);
  return (
    <div className="oauth-wait" role="status">
      <span className="spinner" aria-hidden />
      <h1>{t('oauth.title')}</h1>
      <p className="card-about">{t('oauth.about')}</p>
    </div>
  );
};

export default OauthPage;
