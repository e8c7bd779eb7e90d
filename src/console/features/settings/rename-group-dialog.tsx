import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readGroupUse, renameGroup } from '#contract/api/site/names.ts';
import { DEFAULT_GROUP } from '#contract/codes.ts';
import { GROUP_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';
import { formatExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';

interface RenameGroupDialogProps {
  /** The groups that have a ratio. */
  readonly groups: readonly string[];
  /** Settings that name groups are unsaved: their drafts would not fit what is stored afterwards. */
  readonly isUnsaved: boolean;
  readonly onClose: () => void;
}

/** Renames a group wherever it is named, and says before what follows it and what does not. */
const RenameGroupDialog = ({ groups, isUnsaved, onClose }: RenameGroupDialogProps) => {
  const { t } = useTranslation('price-form');
  const choices = groups.filter((name) => name !== DEFAULT_GROUP);
  const [name, setName] = useState(choices[0] ?? '');
  const [to, setTo] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['to']);
  const use = useQuery({
    queryKey: ['group-use', name],
    queryFn: ({ signal }) => call(readGroupUse, { query: { name } }, signal),
    enabled: name !== '',
    meta: { isAside: true },
  });
  const wanted = to.trim();
  const rename = (): void =>
    submit(async () => {
      const { users, tokens, channels } = await call(renameGroup, { body: { name, to: wanted } });
      toast('ok', t('renameGroup.done', { name, to: wanted, users, tokens, channels }));
      onClose();
      await queryClient.invalidateQueries();
    });
  return (
    <Dialog
      title={t('renameGroup.title')}
      width={520}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('renameGroup.keep')}</Button>
          <Button
            variant="primary"
            busy={isBusy}
            disabled={isUnsaved || name === '' || wanted === '' || wanted === name}
            onClick={rename}
          >
            {t('renameGroup.rename')}
          </Button>
        </>
      }
    >
      <form
        className="setting-wide"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUnsaved && name !== '' && wanted !== '' && wanted !== name) rename();
        }}
      >
        {isUnsaved && <Notice tone="warn">{t('renameGroup.unsaved')}</Notice>}
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <SelectField
          label={t('groupsGone.group')}
          value={name}
          choices={choices.map((each) => ({ value: each, label: each }))}
          onChange={setName}
        />
        <TextField
          label={t('renameGroup.to')}
          maxLength={GROUP_NAME_MAX_LENGTH}
          autoFocus
          value={to}
          error={at('to')}
          onChange={setTo}
        />
        <p>
          {use.data === undefined
            ? t('renameGroup.counting')
            : t('renameGroup.follows', {
                users: formatExact(use.data.users),
                tokens: formatExact(use.data.tokens),
                channels: formatExact(use.data.channels),
              })}
        </p>
        <p className="meta">{t('renameGroup.stays')}</p>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
};

export default RenameGroupDialog;
