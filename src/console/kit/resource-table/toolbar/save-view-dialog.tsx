import { useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button } from '../../button.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { SmallDialog } from '../../dialogs/small-dialog.tsx';
import { VIEW_NAME_MAX_LENGTH } from './saved-views.ts';

interface SaveViewDialogProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a view. */
const SaveViewDialog = ({ onSave, onClose }: SaveViewDialogProps) => {
  const { t } = useTranslation('table-views');
  const { t: common } = useTranslation();
  const [name, setName] = useState('');
  const isNamed = name.trim() !== '';
  return (
    <SmallDialog label={t('saveView')} layer={300} onClose={onClose}>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed) onSave(name.trim());
        }}
      >
        <h2>{t('saveView')}</h2>
        <p>{t('saveViewAbout')}</p>
        <TextField
          label={t('viewName')}
          value={name}
          maxLength={VIEW_NAME_MAX_LENGTH}
          autoFocus
          onChange={setName}
        />
        <div className="ask-actions">
          <Button onClick={onClose}>{common('action.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!isNamed}>
            {common('action.save')}
          </Button>
        </div>
      </form>
    </SmallDialog>
  );
};

export default SaveViewDialog;
