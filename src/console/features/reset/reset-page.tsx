import { Link } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { requestPasswordReset } from '#contract/api/people/password-reset.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useHumanCheck } from '../../shared/human-check.tsx';
import { useResend } from '../../shared/use-resend.ts';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

/** Asks for a mail with a link to a new password. */
const ResetPage = () => {
  const { t } = useTranslation('reset');
  const [email, setEmail] = useState('');
  const { locked, lock } = useResend();
  const [isSent, setSent] = useState(false);
  const human = useHumanCheck();
  const { submit, isBusy, problem, refuse, at } = useSubmit(['email']);

  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const address = email.trim();
    if (address === '') return refuse('email', t('needed'));
    submit(async () => {
      const turnstile = human.isOn ? human.take() : undefined;
      if (human.isOn && turnstile === undefined) throw new Error(t('humanWaits'));
      await call(requestPasswordReset, { query: { email: address, turnstile } });
      lock();
      setSent(true);
      toast('ok', t('sentToast'));
    });
  };
  return (
    <>
      <h1>{t('title')}</h1>
      <p className="card-about">{t('about')}</p>
      <form className="card-form" noValidate onSubmit={send}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {isSent && problem === undefined && <Notice tone="info">{t('sent')}</Notice>}
        <TextField
          label={t('email')}
          name="email"
          type="email"
          autoFocus
          autoComplete="email"
          placeholder="name@example.com"
          value={email}
          error={at('email')}
          onChange={setEmail}
        />
        {human.widget}
        <Button variant="primary" size="large" type="submit" wide busy={isBusy} disabled={locked > 0}>
          {locked > 0 ? t('again', { seconds: locked }) : t('submit')}
        </Button>
      </form>
      <p className="card-foot-line">
        <Link to="/login">{t('toLogin')}</Link>
      </p>
    </>
  );
};

export default ResetPage;
