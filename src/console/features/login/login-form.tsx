import { lazy, Suspense, useState, type ReactNode, type SyntheticEvent } from 'react';
import { login } from '#contract/api/people/session.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useHumanCheck } from '../../shared/human-check.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { SessionUser } from '../../lib/session/session.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

const SecondStep = lazy(() => import('./second-step.tsx'));

interface LoginFormProps {
  /** The first step is done: another service vouched for the user. */
  readonly ticket?: string | undefined;
  /** The prefilled name; focus starts in the password. */
  readonly firstName?: string;
  /** Why the form is shown; gone once it was sent. */
  readonly notice?: ReactNode;
  readonly onEntered: (user: SessionUser, password: string) => Promise<void> | void;
  /** Something was typed or filled in. */
  readonly onTouched?: () => void;
  /** Other ways in, below the name and password; gone in the second step. */
  readonly children?: ReactNode;
}

/** Name and password, then the second step if the account has one. */
export const LoginForm = ({
  ticket: given,
  firstName = '',
  notice,
  onEntered,
  onTouched,
  children,
}: LoginFormProps) => {
  const { t } = useTranslation('front');
  const [username, setUsername] = useState(firstName);
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState(given);
  const [isSent, setSent] = useState(false);
  const human = useHumanCheck();
  const { submit, isBusy, problem, setProblem } = useSubmit();

  const signIn = async (): Promise<void> => {
    const turnstile = human.isOn ? human.take() : undefined;
    if (human.isOn && turnstile === undefined) throw new Error(t('login.humanWaits'));
    const body = { username: username.trim(), password };
    const entered = await call(login, { body, query: { turnstile } });
    if ('require_2fa' in entered) setTicket(entered.ticket);
    else await onEntered(entered, password);
  };
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSent(true);
    const missing = username.trim() === '' ? 'username' : password === '' ? 'password' : undefined;
    if (missing === undefined) return submit(signIn);
    setProblem(t('login.required'));
    event.currentTarget.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
  };
  if (ticket !== undefined)
    return (
      <Suspense>
        <SecondStep
          ticket={ticket}
          onEntered={async (user) => onEntered(user, password)}
          onBack={() => setTicket(undefined)}
        />
      </Suspense>
    );
  return (
    <>
      <form className="card-form" noValidate onSubmit={send} onInput={onTouched}>
        {!isSent && notice}
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <TextField
          label={t('login.name')}
          name="username"
          autoComplete="username webauthn"
          autoFocus={firstName === ''}
          value={username}
          onChange={setUsername}
        />
        <TextField
          label={t('login.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus={firstName !== ''}
          value={password}
          onChange={setPassword}
        />
        {human.widget}
        <Button variant="primary" size="large" type="submit" wide busy={isBusy}>
          {t('login.submit')}
        </Button>
      </form>
      {children}
    </>
  );
};
