import { Button } from '../../kit/button.tsx';
import { SmallDialog } from '../../kit/dialogs/small-dialog.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { rebuildPage, startSession, type SessionUser } from '../../lib/session/session.ts';
import { LoginForm } from './login-form.tsx';

interface SignInDialogProps {
  /** The user of the page below. */
  readonly owner: SessionUser;
  readonly onGiveUp: () => void;
}

/** Signs in above a page whose session has ended, so that unsaved input is kept. */
const SignInDialog = ({ owner, onGiveUp }: SignInDialogProps) => {
  const { t } = useTranslation('front');
  const enter = (user: SessionUser): void => {
    startSession(user);
    if (user.id !== owner.id) rebuildPage();
  };
  return (
    <SmallDialog label={t('again.title')} layer={460} onClose={onGiveUp}>
      <div className="ask">
        <h2>{t('again.title')}</h2>
        <p>{t('again.about')}</p>
        <LoginForm firstName={owner.username} onEntered={enter} />
        <p className="card-foot-line">
          {/* Closes by itself when another window signs in. */}
          <a className="link" href="/login" target="_blank" rel="noopener">
            {t('again.elsewhere')}
          </a>
        </p>
        <Button variant="plain" wide onClick={onGiveUp}>
          {t('again.leave')}
        </Button>
      </div>
    </SmallDialog>
  );
};

export default SignInDialog;
