import { MultiSelect, TagsInput } from '@mantine/core';
import { useTranslation } from '../../lib/text/i18n.ts';
import { MantineScope } from '../mantine-scope.tsx';
import type { FieldProps } from './field.tsx';
import type { Choice } from './select-field.tsx';
import { useChoiceList } from './use-choice-list.ts';

interface ListFieldProps extends FieldProps {
  readonly value?: readonly string[];
  readonly onChange: (value: string[]) => void;
  /** The options. */
  readonly choices: readonly Choice[];
  readonly max?: number;
}

const useCommon = ({ value = [], ...props }: ListFieldProps) => ({
  label: props.label,
  description: props.hint,
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
    | 'label'
    | 'input'
    | 'description'
    | 'error'
  )[],
  error: props.error,
  required: props.required ?? false,
  withAsterisk: props.required ?? false,
  disabled: props.disabled ?? false,
  placeholder: value.length === 0 ? (props.placeholder ?? '') : '',
  value: [...value],
  onChange: props.onChange,
  limit: 200,
  ...useChoiceList(props.label),
  ...(props.max === undefined ? {} : { maxValues: props.max }),
});

/** Chooses several from a known list. */
export const MultiSelectField = (props: ListFieldProps) => {
  const { t } = useTranslation();
  return (
    <MantineScope>
      <MultiSelect
        {...useCommon(props)}
        data={props.choices.map((choice) => ({ ...choice }))}
        searchable
        hidePickedOptions
        nothingFoundMessage={t('field.nothingFound')}
      />
    </MantineScope>
  );
};

/** What stands between names, on a Chinese keyboard too. */
const BETWEEN = [',', ';', '\n', '，', '；'];

/** The names in what was entered. A phone's keyboard names no key, so its comma arrives as a part of a name. */
const namesIn = (entered: readonly string[]): string[] => [
  ...new Set(
    entered
      .flatMap((text) => text.split(/[,;\n，；]/).map((name) => name.trim()))
      .filter((name) => name !== ''),
  ),
];

/** A list of names, suggested or free; Enter, comma and pasted lists add to it. */
export const TagsField = (props: ListFieldProps) => (
  <MantineScope>
    <TagsInput
      {...useCommon({ ...props, onChange: (entered) => props.onChange(namesIn(entered)) })}
      data={props.choices.map((choice) => choice.value)}
      splitChars={BETWEEN}
      acceptValueOnBlur
    />
  </MantineScope>
);
