import type { ReactNode } from 'react';
import type { Choice } from '../../kit/fields/combobox/use-combobox.ts';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { useTranslation, type Translate } from '../../lib/text/i18n.ts';
import { useOwnGroups, type OwnGroups } from './use-own-groups.ts';

interface GroupFieldProps {
  readonly value?: string;
  readonly onChange: (group: string) => void;
  readonly error?: ReactNode;
}

/** Whose channels and prices the token uses: one of the user's groups, or `auto` where the site offers it. */
export const GroupField = ({ value = '', onChange, error }: GroupFieldProps) => {
  const { t } = useTranslation('tokens');
  const { groups } = useOwnGroups();
  const choices = Object.entries(groups).map(([name, group]) => choiceOf(name, group, t));
  const isUnknown = value !== '' && groups[value] === undefined;
  return (
    <SelectField
      label={t('form.group')}
      hint={t('form.groupHint')}
      placeholder={t('form.groupPlaceholder')}
      clearable
      choices={isUnknown ? [{ value, label: value }, ...choices] : choices}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
};

const choiceOf = (name: string, { desc, ratio }: OwnGroups[string], t: Translate<'tokens'>): Choice => {
  const words = desc === '' || desc === name ? name : t('form.groupChoice', { name, desc });
  return { value: name, label: `${words} · ${t('form.groupRatio', { ratio })}` };
};
