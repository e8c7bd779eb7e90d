import { useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';
import type { DialogRequest, OpenDialog } from './dialogs.ts';
import { TextField } from '../fields/text-field.tsx';
import { SmallDialog } from './small-dialog.tsx';

/** The dialog of `confirm` and of copying by hand. */
const AskDialog = ({ opened }: { readonly opened: OpenDialog }) => {
  const { request, answer } = opened;
  const { t } = useTranslation();
  return (
    <SmallDialog
      label={request.kind === 'confirm' ? request.title : t('dialog.copyByHand')}
      layer={400}
      onClose={() => answer(false)}
    >
      {request.kind === 'confirm' ? (
        <ConfirmBody request={request} answer={answer} />
      ) : (
        <CopyBody text={request.text} answer={answer} />
      )}
    </SmallDialog>
  );
};

interface BodyProps {
  readonly answer: (yes: boolean) => void;
}

const ConfirmBody = ({
  request,
  answer,
}: BodyProps & { readonly request: DialogRequest & { kind: 'confirm' } }) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  // The focus is not on the dangerous button, so that a hasty Enter does nothing irreversible.
  const first = request.typed !== undefined ? 'field' : request.danger === true ? 'cancel' : 'action';
  const isReady = request.typed === undefined || typed === request.typed;
  return (
    <form
      className="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) answer(true);
      }}
    >
      <h2>{request.title}</h2>
      {request.text !== undefined && <p>{request.text}</p>}
      {request.typed !== undefined && (
        <TextField
          label={t('dialog.typeToConfirm', { text: request.typed })}
          value={typed}
          onChange={setTyped}
          autoFocus
        />
      )}
      <div className="ask-actions">
        <Button data-autofocus={first === 'cancel' || undefined} onClick={() => answer(false)}>
          {t('action.cancel')}
        </Button>
        <Button
          type="submit"
          variant={request.danger === true ? 'danger' : 'primary'}
          disabled={!isReady}
          data-autofocus={first === 'action' || undefined}
        >
          {request.action}
        </Button>
      </div>
    </form>
  );
};

const CopyBody = ({ text, answer }: BodyProps & { readonly text: string }) => {
  const { t } = useTranslation();
  return (
    <div className="ask">
      <h2>{t('dialog.copyByHand')}</h2>
      <textarea
        className="input text-area mono"
        aria-label={t('dialog.copyByHand')}
        readOnly
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
        data-autofocus
        onFocus={(event) => event.target.select()}
      />
      <div className="ask-actions">
        <Button variant="primary" onClick={() => answer(false)}>
          {t('action.close')}
        </Button>
      </div>
    </div>
  );
};

export default AskDialog;
