import { Select } from '@mantine/core';
import { useTranslation } from '../../lib/text/i18n.ts';
import { MantineScope } from '../mantine-scope.tsx';
import { searchedAnew, useChoiceList } from './use-choice-list.ts';
import type { FieldProps } from './field.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
  /** Additional text at the end of its line. */
  readonly note?: string | undefined;
}

interface SelectFieldProps extends FieldProps {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly Choice[];
  /** Can be cleared to ''. */
  readonly clearable?: boolean;
  /** Whether options can be searched; default: if there are many. */
  readonly searchable?: boolean;
  /** No visible label (in a bar of filters); the label is still its name. */
  readonly bare?: boolean;
}

/** Chooses one of many, with search. */
export const SelectField = ({
  value = '',
  onChange,
  choices,
  clearable = false,
  bare = false,
  searchable,
  ...field
}: SelectFieldProps) => {
  const { t } = useTranslation();
  const chosenAt = choices.findIndex((choice) => choice.value === value);
  const notes = new Map(choices.flatMap(({ value: of, note }) => (note ? [[of, note]] : [])));
  return (
    <MantineScope>
      <Select
        label={bare ? undefined : field.label}
        aria-label={bare ? field.label : undefined}
        placeholder={field.placeholder ?? (bare ? field.label : undefined)}
        description={bare ? undefined : field.hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={field.error}
        required={field.required}
        withAsterisk={field.required}
        disabled={field.disabled}
        data={choices.map(({ value: of, label, disabled = false }) => ({ value: of, label, disabled }))}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        searchable={searchable ?? choices.length > 7}
        clearable={clearable}
        clearButtonProps={{ 'aria-label': t('action.clear') }}
        allowDeselect={false}
        {...(notes.size > 0 && {
          renderOption: ({ option }) => <Noted {...option} note={notes.get(option.value)} />,
        })}
        {...useChoiceList(field.label, choices.length, chosenAt)}
        {...searchedAnew(choices[chosenAt]?.label)}
        nothingFoundMessage={t('field.nothingFound')}
        data-autofocus={field.autoFocus === true ? true : undefined}
      />
    </MantineScope>
  );
};

const Noted = ({ label, note }: { readonly label: string; readonly note: string | undefined }) => (
  <>
    <span>{label}</span>
    {note !== undefined && <span className="choice-note number">{note}</span>}
  </>
);
