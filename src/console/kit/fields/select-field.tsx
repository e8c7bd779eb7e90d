import { useTranslation } from '../../lib/text/i18n.ts';
import { Combobox } from './combobox/combobox.tsx';
import type { Choice } from './combobox/use-combobox.ts';
import type { FieldProps } from './field.tsx';

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
export const SelectField = ({ value = '', searchable, choices, ...field }: SelectFieldProps) => {
  const { t } = useTranslation();
  return (
    <Combobox
      {...field}
      value={value}
      choices={choices}
      isSearchable={searchable ?? choices.length > 7}
      draw={drawNoted}
      nothingFound={t('field.nothingFound')}
    />
  );
};

const drawNoted = ({ label, note }: Choice) => (
  <>
    <span>{label}</span>
    {note !== undefined && note !== '' && <span className="choice-note number">{note}</span>}
  </>
);
