import './list-field.css';
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useId, useMemo, useRef } from 'react';
import { isEnter } from '../../lib/browser/enter-key.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { classNames } from '../class-names.ts';
import { ChoiceList } from './combobox/choice-list.tsx';
import { containing } from './combobox/containing.ts';
import { type Choice, useCombobox } from './combobox/use-combobox.ts';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';
import { TakenNames } from './taken-names.tsx';
import { useNames } from './use-names.ts';

interface ListFieldProps extends FieldProps {
  readonly value?: readonly string[];
  readonly onChange: (value: string[]) => void;
  /** The names that are offered. */
  readonly choices: readonly string[];
  readonly max?: number;
}

/** What the field shows, and what keys, letters and pasted lists do. */
const useListField = ({ value, onChange, choices, max }: ListFieldProps, isFree: boolean) => {
  const known = isFree ? undefined : choices;
  const { names, said, add, read, readAll, isList, remove } = useNames({ value, onChange, known, max });
  const left = useMemo((): readonly Choice[] => {
    const taken = new Set(names);
    return [...new Set(choices)]
      .filter((name) => !taken.has(name))
      .map((name) => ({ value: name, label: name }));
  }, [choices, names]);
  const state = useCombobox({
    choices: left,
    value: '',
    onTake: (choice) => add([choice.value]),
    isSearchable: true,
    find: (search) => containing(left, search, ({ label }) => label),
    takesBest: !isFree,
    takesSeveral: true,
  });
  const { text, marked, found } = state;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isEnter(event) && marked === -1 && text !== '') {
      // Else the form would be sent.
      event.preventDefault();
      if (isFree) state.type(add([text]).join(' '));
    } else if (event.key === 'Backspace' && text === '' && !event.repeat) {
      const last = names.at(-1);
      if (last !== undefined) remove(last);
    } else state.onKeyDown(event);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text').trim();
    if (!isList(pasted)) return;
    event.preventDefault();
    state.type(readAll(text.slice(0, selectionStart ?? 0) + pasted + text.slice(selectionEnd ?? 0)));
  };
  return {
    names,
    said,
    remove,
    state,
    // Where any name can be typed, nothing needs to be said if none fits.
    isOpen: state.isOpen && (found.length > 0 || !isFree),
    // What is still being composed is no name yet.
    change: (typed: string, isComposing = false) => state.type(isComposing ? typed : read(typed)),
    leave: () => {
      state.close();
      if (isFree) read(`${text},`);
    },
    onKeyDown,
    onPaste,
  };
};

const ListField = ({ isFree, ...props }: ListFieldProps & { readonly isFree: boolean }) => {
  const { disabled = false, required = false } = props;
  const id = useId();
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { names, said, remove, state, isOpen, change, leave, onKeyDown, onPaste } = useListField(
    props,
    isFree,
  );
  return (
    <FieldFrame id={id} field={props}>
      <div
        ref={box}
        className={classNames('input names', disabled && 'names-disabled')}
        onMouseDown={keepFocus}
        onClick={({ target }) => {
          if (disabled || (target instanceof Element && target.closest('button, .choices'))) return;
          input.current?.focus();
          if (!state.isOpen) state.open();
        }}
      >
        <TakenNames names={names} disabled={disabled} onRemove={remove} />
        <input
          ref={input}
          {...controlProps(id, props)}
          required={required && names.length === 0}
          aria-required={required || undefined}
          placeholder={names.length === 0 ? props.placeholder : undefined}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={
            isOpen && state.marked !== -1 ? `${id}-list-${String(state.marked)}` : undefined
          }
          autoComplete="off"
          spellCheck={false}
          // Escape closes the list first, then what it is in.
          data-list-open={isOpen || undefined}
          value={state.text}
          onChange={({ target, nativeEvent }) =>
            change(target.value, 'isComposing' in nativeEvent && nativeEvent.isComposing === true)
          }
          onCompositionEnd={({ currentTarget }) => change(currentTarget.value)}
          onPaste={onPaste}
          onFocus={() => state.open()}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        <span className="hidden-visually" role="status">
          {said}
        </span>
        {isOpen && (
          <ChoiceList
            id={`${id}-list`}
            label={props.label}
            state={state}
            field={box}
            draw={drawName}
            isForSeveral
            nothingFound={t('field.nothingFound')}
          />
        )}
      </div>
    </FieldFrame>
  );
};

const drawName = ({ label }: Choice) => <span>{label}</span>;

/** A press on the names or between them leaves the focus where it is. */
const keepFocus = (event: MouseEvent): void => {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
};

/** Chooses several from a known list. */
export const MultiSelectField = (props: ListFieldProps) => <ListField {...props} isFree={false} />;

/** A list of names, suggested or free; Enter, a comma and pasted lists add to it. */
export const TagsField = (props: ListFieldProps) => <ListField {...props} isFree />;
