import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { finishSetup } from '#contract/api/setup.ts';
import { USERNAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { accountProblem, type NewAccount } from '../../lib/new-account.ts';
import { useAction } from '../../lib/query.ts';
import { refreshSiteStatus, useSiteStatus } from '../../lib/site-status.ts';
import type { UrlState } from '../../lib/url-state.ts';

const SetupPage = () => {
  const { t } = useTranslation('front');
  const status = useSiteStatus();
  const isDone = status?.setup === true;
  return (
    <>
      <h1>{t('setup.title')}</h1>
      {!isDone && <p className="card-about">{t('setup.about')}</p>}
      {isDone
        ? <><Notice tone="info">{t('setup.done')}</Notice><Link to="/login" className="button button-primary button-large button-wide">{t('login.submit')}</Link></>
        : <SetupForm />}
    </>
  );
};

interface Setup extends NewAccount {
  readonly secret: string;
  readonly isSelfUse: boolean;
}

const SetupForm = () => {
  const { t } = useTranslation('front');
  const navigate = useNavigate();
  const fromLink = (useSearch({ strict: false }) as UrlState)['secret'] ?? '';
  const [setup, setSetup] = useState<Setup>({ username: '', password: '', confirmed: '', secret: fromLink, isSelfUse: false });
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<Setup>): void => setSetup((before) => ({ ...before, ...part }));
  const finish = useAction({
    run: ({ secret, username, password, confirmed, isSelfUse }: Setup) => call(finishSetup, {
      body: { secret, username, password, confirmPassword: confirmed, SelfUseModeEnabled: isSelfUse },
    }),
    done: t('setup.success'),
    quiet: true,
  });
  const problem = accountProblem(setup);
  const wrong = setup.secret.trim() === '' ? t('setup.secretRequired') : problem && t(`register.${problem}`);

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (wrong !== undefined) return;
    await finish.mutateAsync({ ...setup, secret: setup.secret.trim() });
    await refreshSiteStatus();
    await navigate({ to: '/login' });
  };
  const said = isTried && wrong !== undefined ? wrong : finish.error?.message;
  return (
    <form className="card-form" noValidate onSubmit={(event) => void submit(event).catch(() => undefined)}>
      {said !== undefined && <Notice tone="bad">{said}</Notice>}
      {fromLink === '' && (
        <TextField label={t('setup.secret')} hint={t('setup.secretHint')} mono value={setup.secret} onChange={(secret) => change({ secret })} />
      )}
      <TextField
        label={t('setup.username')}
        hint={t('register.usernameHint')}
        autoComplete="username"
        maxLength={USERNAME_MAX_LENGTH}
        value={setup.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('register.password')}
        hint={t('register.passwordHint')}
        type="password"
        autoComplete="new-password"
        value={setup.password}
        onChange={(password) => change({ password })}
      />
      <TextField
        label={t('register.confirm')}
        type="password"
        autoComplete="new-password"
        value={setup.confirmed}
        onChange={(confirmed) => change({ confirmed })}
      />
      <SwitchField label={t('setup.selfUse')} hint={t('setup.selfUseHint')} checked={setup.isSelfUse} onChange={(isSelfUse) => change({ isSelfUse })} />
      <Button variant="primary" size="large" type="submit" wide busy={finish.isPending}>{t('setup.submit')}</Button>
    </form>
  );
};

export default SetupPage;
