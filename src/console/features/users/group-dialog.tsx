import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listGroups } from '#contract/api/site/names.ts';
import { DEFAULT_GROUP } from '#contract/codes.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

interface GroupDialogProps {
  readonly count: number;
  /** Which of the selected accounts are left out. */
  readonly note: string;
  readonly onClose: () => void;
  readonly onDone: (group: string) => void;
}

/** The group that the accounts move to. */
const GroupDialog = ({ count, note, onClose, onDone }: GroupDialogProps) => {
  const { t } = useTranslation('users');
  const [group, setGroup] = useState<string>(DEFAULT_GROUP);
  const groups = useQuery({
    queryKey: ['group-names'],
    queryFn: () => call(listGroups),
    staleTime: 60_000,
    meta: { isAside: true },
  });
  const send = (): void => {
    onClose();
    onDone(group);
  };
  return (
    <Dialog
      title={t('many.group.title', { count })}
      width={440}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button variant="primary" onClick={send}>
            {t('many.group.button')}
          </Button>
        </>
      }
    >
      {note !== '' && <Notice tone="info">{note}</Notice>}
      <SelectField
        label={t('form.group')}
        hint={t('form.groupHint')}
        value={group}
        choices={(groups.data ?? [DEFAULT_GROUP]).map((name) => ({ value: name, label: name }))}
        onChange={setGroup}
      />
    </Dialog>
  );
};

export default GroupDialog;
