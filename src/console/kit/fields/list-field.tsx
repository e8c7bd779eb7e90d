import { MultiSelect, TagsInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { MantineScope } from '../mantine-scope.tsx';
import type { FieldProps } from './field.tsx';
import type { Choice } from './combobox/use-combobox.ts';
import { useChoiceList } from './use-choice-list.ts';
import { useDrawnNames } from './use-drawn-names.tsx';

interface ListFieldProps extends FieldProps {
  readonly value?: readonly string[];
  readonly onChange: (value: string[]) => void;
  /** The options. */
  readonly choices: readonly Choice[];
  readonly max?: number;
}

const NO_NAMES: readonly string[] = [];

const useCommon = ({ value = NO_NAMES, ...props }: ListFieldProps) => ({
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
  renderPill: useDrawnNames(value, props.onChange),
  ...useChoiceList(props.label, props.choices.length),
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

/** The first choices that are not taken yet and contain the search. */
const offered = (
  choices: readonly Choice[],
  { taken, search, limit }: { taken: readonly string[]; search: string; limit: number },
): string[] => {
  const known = new Set(taken.map((name) => name.trim().toLowerCase()));
  const wanted = search.trim().toLowerCase();
  const found: string[] = [];
  for (const { value } of choices) {
    if (found.length === limit) break;
    const name = value.trim().toLowerCase();
    if (name.includes(wanted) && !known.has(name)) found.push(value);
  }
  return found;
};

/** A list of names, suggested or free; Enter, comma and pasted lists add to it. */
export const TagsField = (props: ListFieldProps) => {
  const { choices, value = NO_NAMES } = props;
  const [search, setSearch] = useState('');
  const common = useCommon({ ...props, onChange: (entered) => props.onChange(namesIn(entered)) });
  const { limit } = common;
  // Left to itself, the combobox compares every choice with every name for each letter.
  const data = useMemo(
    () => offered(choices, { taken: value, search, limit }),
    [choices, value, search, limit],
  );
  return (
    <MantineScope>
      <TagsInput
        {...common}
        data={data}
        searchValue={search}
        onSearchChange={setSearch}
        splitChars={BETWEEN}
        acceptValueOnBlur
      />
    </MantineScope>
  );
};
