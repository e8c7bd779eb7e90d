import './combobox.css';
import { IconSelector, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { classNames } from '../../class-names.ts';
import { controlProps, FieldFrame, FieldNote, type FieldProps } from '../field.tsx';
import { ChoiceList } from './choice-list.tsx';
import { containing } from './containing.ts';
import { type Choice, useCombobox } from './use-combobox.ts';

interface ComboboxProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly Choice[];
  readonly isSearchable: boolean;
  /** Default: those whose label contains the search. */
  readonly find?: (search: string) => readonly Choice[];
  readonly takesBest?: boolean;
  /** Can be cleared to ''. */
  readonly clearable?: boolean;
  /** No visible label; the label is still its name. */
  readonly bare?: boolean;
  /** Stands in the field before the chosen one. */
  readonly lead?: ReactNode;
  readonly draw: (choice: Choice) => ReactNode;
  readonly nothingFound: string;
}

/** One of a list. Opening it draws what is seen of the list, and measures nothing but the field. */
export const Combobox = (props: ComboboxProps) => {
  const { value, onChange, choices, isSearchable, clearable = false, bare = false, lead, ...field } = props;
  const id = useId();
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const contained = (search: string) => containing(choices, search, ({ label }) => label);
  const { find, takesBest = false } = props;
  const state = useCombobox({
    choices,
    value,
    onTake: (choice) => choice.value !== value && onChange(choice.value),
    isSearchable,
    find: find ?? contained,
    takesBest,
  });
  const { isOpen, marked } = state;
  const isClearable = clearable && value !== '' && field.disabled !== true;
  const control = (
    <div className={classNames('combobox', lead !== undefined && 'combobox-led')}>
      {lead}
      <input
        ref={input}
        className="input"
        {...controlProps(id, bare ? { ...field, hint: undefined } : field)}
        placeholder={field.placeholder ?? (bare ? field.label : undefined)}
        aria-label={bare ? field.label : undefined}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && marked !== -1 ? `${id}-list-${String(marked)}` : undefined}
        autoComplete="off"
        // Escape closes the list first, then what it is in.
        data-list-open={isOpen || undefined}
        readOnly={!isSearchable}
        value={state.text}
        onChange={(event) => state.type(event.target.value)}
        onFocus={() => isSearchable && state.open()}
        onBlur={state.close}
        onKeyDown={state.onKeyDown}
        onClick={() => {
          if (!isOpen) state.open();
          else if (!isSearchable) state.close();
          // Wherever it is pressed: what is typed is then searched for instead of being added to the name of the choice.
          if (isSearchable && state.isShowingChoice) input.current?.select();
        }}
      />
      {isClearable ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('action.clear')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            state.close();
            onChange('');
          }}
        >
          <IconX size={14} />
        </button>
      ) : (
        <IconSelector size={16} />
      )}
      {isOpen && (
        <ChoiceList
          id={`${id}-list`}
          label={field.label}
          state={state}
          field={input}
          draw={props.draw}
          nothingFound={props.nothingFound}
        />
      )}
    </div>
  );
  if (!bare)
    return (
      <FieldFrame id={id} field={field}>
        {control}
      </FieldFrame>
    );
  return (
    <>
      {control}
      {field.error && <FieldNote id={id} field={field} />}
    </>
  );
};
