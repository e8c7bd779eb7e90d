import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { register } from '#contract/api/people/session.ts';
import { USERNAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { CodeField } from '../../shared/code-field.tsx';
import { useHumanCheck } from '../../shared/human-check.tsx';
import { Notice } from '../../kit/states.tsx';
import { ThirdParty } from '../../shared/third-party.tsx';
import { call } from '../../lib/server/api.ts';
import { mayRegister, useSiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';
import { accountProblem, fieldOf, type NewAccount } from '../../lib/session/new-account.ts';

const RegisterPage = () => {
  const { t } = useTranslation('enter');
  const status = useSiteStatus();
  const { aff } = useSearch({ strict: false }) as UrlState;
  const [invite, setInvite] = useState(aff);
  return (
    <>
      <h1>{t('register.title')}</h1>
      {status !== undefined && !mayRegister(status) ? (
        <Notice tone="info">{t('register.off')}</Notice>
      ) : (
        <RegisterForm invite={invite} onInvite={setInvite} />
      )}
      <ThirdParty inviteCode={invite} />
      <p className="card-foot-line">
        {t('register.hasAccount')} <Link to="/login">{t('register.toLogin')}</Link>
      </p>
    </>
  );
};

interface InviteProps {
  /** The code of whoever invited; undefined while there is none and nobody wants to enter one. */
  readonly invite: string | undefined;
  readonly onInvite: (code: string) => void;
}

const FIELDS = ['username', 'password', 'password2', 'email', 'verification_code', 'aff_code'];

const InviteField = ({ invite, onInvite, error }: InviteProps & { readonly error: string | undefined }) => {
  const { t } = useTranslation('enter');
  return invite === undefined ? (
    <Button variant="plain" onClick={() => onInvite('')}>
      {t('register.haveInvite')}
    </Button>
  ) : (
    <TextField
      label={t('register.invite')}
      name="invite"
      autoComplete="off"
      autoFocus={invite === ''}
      value={invite}
      error={error}
      onChange={onInvite}
    />
  );
};

const RegisterForm = ({ invite, onInvite }: InviteProps) => {
  const { t } = useTranslation('enter');
  const navigate = useNavigate();
  const [account, setAccount] = useState<NewAccount>({ username: '', password: '', confirmed: '' });
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const asksEmail = useSiteStatus()?.email_verification === true;
  const human = useHumanCheck();
  const { submit, isBusy, problem, refuse, at } = useSubmit(FIELDS);
  const change = (part: Partial<NewAccount>): void => setAccount((before) => ({ ...before, ...part }));

  const create = async (): Promise<void> => {
    const { username, password, confirmed } = account;
    const turnstile = human.isOn ? human.take() : undefined;
    if (human.isOn && turnstile === undefined) throw new Error(t('register.humanWaits'));
    await call(register, {
      query: { turnstile },
      body: {
        username,
        password,
        password2: confirmed,
        ...(asksEmail ? { email: email.trim(), verification_code: code.trim() } : {}),
        ...(invite === undefined ? {} : { aff_code: invite }),
      },
    });
    toast('ok', t('register.success'));
    await navigate({ to: '/login' });
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const wrong = accountProblem(account);
    if (wrong === undefined) submit(create);
    else refuse(fieldOf(wrong, account), t(`register.${wrong}`));
  };
  return (
    <form className="card-form" noValidate onSubmit={send}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TextField
        label={t('register.username')}
        hint={t('register.usernameHint')}
        name="username"
        autoComplete="username"
        autoFocus
        maxLength={USERNAME_MAX_LENGTH}
        value={account.username}
        error={at('username')}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('register.password')}
        hint={t('register.passwordHint')}
        name="password"
        type="password"
        autoComplete="new-password"
        value={account.password}
        error={at('password')}
        onChange={(password) => change({ password })}
      />
      <TextField
        label={t('register.confirm')}
        name="password2"
        type="password"
        autoComplete="new-password"
        value={account.confirmed}
        error={at('password2')}
        onChange={(confirmed) => change({ confirmed })}
      />
      {asksEmail && (
        <>
          <TextField
            label={t('register.email')}
            name="email"
            type="email"
            autoComplete="email"
            value={email}
            error={at('email')}
            onChange={setEmail}
          />
          <CodeField
            email={email}
            value={code}
            error={at('verification_code')}
            onChange={setCode}
            human={human}
          />
        </>
      )}
      <InviteField invite={invite} onInvite={onInvite} error={at('aff_code')} />
      {human.widget}
      <Button variant="primary" size="large" type="submit" wide busy={isBusy}>
        {t('register.submit')}
      </Button>
    </form>
  );
};

export default RegisterPage;
