import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listGroups } from '#contract/api/site/names.ts';
import { createUser, readUser, updateUser } from '#contract/api/people/users.ts';
import { DISPLAY_NAME_MAX_LENGTH, PASSWORD_MIN_LENGTH, USERNAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { EditDrawer } from '../../kit/drawers/edit-drawer.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useRefusal } from '../../kit/drawers/use-refusal.ts';
import { FormDrawer, FormSection } from '../../kit/drawers/form-drawer.tsx';
import { showFirstError } from '../../lib/browser/show-first-error.ts';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { changesWith, saveOver } from '../../lib/server/changed-meanwhile.ts';
import { formatQuota, formatQuotaExact } from '../../lib/text/format.ts';
import { type Translate, useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';
import QuotaDialog from './quota-dialog.tsx';
import { identities, mayDo, USERS, type User } from './user.ts';

interface UserDrawerProps {
  readonly id: number | 'new';
  readonly onClose: () => void;
}

interface UserValues {
  readonly username: string;
  readonly displayName: string;
  readonly password: string;
  readonly group: string;
}

/** The drawer that creates an account, or edits one of lower rank. */
const UserDrawer = ({ id, onClose }: UserDrawerProps) => {
  const { t } = useTranslation('users');
  return (
    <EditDrawer
      name="user"
      id={id}
      title={t('title')}
      read={(known, signal) => call(readUser, { params: { id: known } }, signal)}
      onClose={onClose}
      form={(before) => <UserForm before={before} onClose={onClose} />}
    />
  );
};

const validate = (isNew: boolean, t: Translate<'users'>) => (values: UserValues) => {
  const short = values.password !== '' && values.password.length < PASSWORD_MIN_LENGTH;
  return {
    username: values.username.trim() === '' ? t('invalid.username') : null,
    password: isNew && values.password === '' ? t('invalid.password') : short ? t('invalid.short') : null,
  };
};

const saveUser = async (
  before: User | undefined,
  values: UserValues,
  newest: { current: User | undefined },
): Promise<void> => {
  const { username, displayName: display_name, password, group } = values;
  if (before === undefined) {
    await call(createUser, { body: { username, password, display_name, group } });
    return;
  }
  const { id } = before;
  await saveOver(
    newest,
    (shown = before) => {
      const old = { username: before.username, display_name: before.display_name, group: before.group };
      const changes = changesWith(
        { ...old, password: '' },
        { username, display_name, group, password },
        shown,
      );
      return call(updateUser, { body: { id, ...changes } });
    },
    () => call(readUser, { params: { id } }),
  );
};

interface UserFormProps {
  readonly before: User | undefined;
  readonly onClose: () => void;
}

const UserForm = ({ before, onClose }: UserFormProps) => {
  const { t } = useTranslation('users');
  const actor = useSession();
  const newest = useRef(before);
  const isNew = before === undefined;
  const isOpen = isNew || mayDo(actor, 'update', before);
  const form = useForm<UserValues>({
    initialValues: {
      username: before?.username ?? '',
      displayName: before?.display_name ?? '',
      password: '',
      group: before?.group ?? 'default',
    },
    validate: validate(isNew, t),
  });
  const save = useAction({
    run: (values: UserValues) => saveUser(before, values, newest),
    refresh: [USERS],
    quiet: true,
  });
  const finish = (): void => {
    onClose();
    toast('ok', t(isNew ? 'form.created' : 'form.saved'));
  };
  const refusal = useRefusal(form, save.error, { display_name: 'displayName' });
  const submit = form.onSubmit((values) => save.mutate(values, { onSuccess: finish }), showFirstError);
  return (
    <FormDrawer
      title={isNew ? t('form.create') : t('form.edit', { name: before.username })}
      onClose={onClose}
      onSubmit={() => (isOpen ? submit() : onClose())}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      {...(isNew ? { saveLabel: t('form.submit') } : {})}
      width={560}
      error={refusal}
    >
      {before !== undefined && before.DeletedAt !== null && <Notice tone="warn">{t('form.deleted')}</Notice>}
      <FormSection title={t('form.section.account')}>
        <TextField
          label={t('form.username')}
          required
          autoFocus
          disabled={!isOpen}
          maxLength={isNew ? USERNAME_MAX_LENGTH : 254}
          {...form.getInputProps('username')}
        />
        <TextField
          label={t('form.displayName')}
          disabled={!isOpen}
          maxLength={DISPLAY_NAME_MAX_LENGTH}
          {...form.getInputProps('displayName')}
        />
        <TextField
          label={t('form.password')}
          hint={t(isNew ? 'form.newPasswordHint' : 'form.passwordHint')}
          type="password"
          autoComplete="new-password"
          required={isNew}
          disabled={!isOpen}
          {...form.getInputProps('password')}
        />
        <GroupField disabled={!isOpen} {...form.getInputProps('group')} />
      </FormSection>
      {before !== undefined && <QuotaSection user={before} isOpen={isOpen} />}
      {before !== undefined && <IdentitySection user={before} />}
    </FormDrawer>
  );
};

interface GroupFieldProps {
  readonly value?: string;
  readonly onChange: (group: string) => void;
  readonly disabled: boolean;
}

const GroupField = ({ value = '', onChange, disabled }: GroupFieldProps) => {
  const { t } = useTranslation('users');
  const { data = [] } = useQuery({
    queryKey: ['group-names'],
    queryFn: () => call(listGroups),
    staleTime: 60_000,
  });
  const names = [...new Set([...data, value])].filter((name) => name !== '');
  return (
    <SelectField
      label={t('form.group')}
      hint={t('form.groupHint')}
      disabled={disabled}
      choices={names.map((name) => ({ value: name, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
};

const QuotaSection = ({ user, isOpen }: { readonly user: User; readonly isOpen: boolean }) => {
  const { t } = useTranslation('users');
  const [quota, setQuota] = useState(user.quota);
  const [isAdding, setAdding] = useState(false);
  return (
    <FormSection title={t('form.section.quota')}>
      <div className="user-facts">
        <dl>
          <div>
            <dt>{t('form.quota')}</dt>
            <dd className="number" data-tip={formatQuotaExact(quota)}>
              {formatQuota(quota)}
            </dd>
          </div>
          <div>
            <dt>{t('form.used')}</dt>
            <dd className="number" data-tip={formatQuotaExact(user.used_quota)}>
              {formatQuota(user.used_quota)}
            </dd>
          </div>
        </dl>
        <Button disabled={!isOpen} onClick={() => setAdding(true)}>
          {t('action.addQuota')}
        </Button>
      </div>
      {isAdding && (
        <QuotaDialog user={{ ...user, quota }} onDone={setQuota} onClose={() => setAdding(false)} />
      )}
    </FormSection>
  );
};

/** The account's identities at other services; only its owner binds and unbinds them. */
const IdentitySection = ({ user }: { readonly user: User }) => {
  const { t } = useTranslation('users');
  return (
    <FormSection title={t('form.section.identities')}>
      <p className="field-hint">{t('form.identitiesHint')}</p>
      <dl className="user-identities">
        {identities.map(([field, name]) => (
          <div key={field}>
            <dt>{name}</dt>
            <dd className={user[field] === '' ? 'tone-muted' : 'mono'}>{user[field] || t('form.unbound')}</dd>
          </div>
        ))}
      </dl>
    </FormSection>
  );
};

export default UserDrawer;
