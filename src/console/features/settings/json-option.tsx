import './json-option.css';
import { IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { OptionKey } from '#contract/options.ts';
import { parsed } from '#contract/json-text.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import type { FieldProps } from '../../kit/fields/field.tsx';
import { JsonField } from '../../kit/fields/json-field.tsx';
import { isEnter } from '../../lib/browser/enter-key.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { CellWord, JsonShape } from './json-shape.ts';
import { shapeOf } from './json-shapes.ts';

interface JsonOptionProps {
  readonly optionKey: OptionKey;
  readonly text: string;
  readonly field: FieldProps;
  readonly onChange: (text: string) => void;
}

/** For the button that has taken the place of the pressed one. */
const takeFocus = (button: HTMLElement | null): void => button?.focus();

/** A JSON option: as a table where its shape allows, or as text; one click between the two. */
export const JsonOption = ({ optionKey, text, field, onChange }: JsonOptionProps) => {
  const { t } = useTranslation('settings');
  const [isText, setText] = useState(false);
  const [isTurned, setTurned] = useState(false);
  const shape = shapeOf(optionKey);
  const rows = shape?.read(parsed(text.trim() === '' ? '{}' : text));
  if (shape === undefined || field.disabled === true)
    return <JsonField {...field} value={text} onChange={onChange} />;
  const isTable = !isText && rows !== undefined;
  const turn = (
    <button
      type="button"
      className="link"
      disabled={rows === undefined}
      ref={isTurned ? takeFocus : undefined}
      onClick={() => {
        setText(isTable);
        setTurned(true);
      }}
    >
      {isTable ? t('asText') : t('asTable')}
    </button>
  );
  if (!isTable) return <JsonField {...field} value={text} onChange={onChange} action={turn} />;
  return (
    <div className="json-option">
      <div className="json-option-turn">{turn}</div>
      <RowsTable
        shape={shape}
        rows={rows}
        field={field}
        onChange={(next) => onChange(JSON.stringify(shape.write(next), null, 2))}
      />
    </div>
  );
};

interface RowsTableProps {
  readonly shape: JsonShape;
  readonly rows: readonly (readonly string[])[];
  readonly field: FieldProps;
  readonly onChange: (rows: readonly (readonly string[])[]) => void;
}

const RowsTable = ({ shape, rows, field, onChange }: RowsTableProps) => {
  const { t } = useTranslation('settings');
  // A row without a name cannot be part of the JSON; it waits here until it gets one.
  const [fresh, setFresh] = useState<readonly string[]>();
  const [refused, setRefused] = useState<'rowUnnamed' | 'rowTwice'>();
  const { columns, nameColumns = 1 } = shape;
  const nameOf = (row: readonly string[]): string =>
    row
      .slice(0, nameColumns)
      .map((part) => part.trim())
      .join('\n');
  const wrongOf = (row: readonly string[], at?: number): typeof refused => {
    if ((row[0] ?? '').trim() === '') return 'rowUnnamed';
    const isTwice = rows.some((known, index) => index !== at && nameOf(known) === nameOf(row));
    return isTwice ? 'rowTwice' : undefined;
  };
  const freshWrong = fresh && wrongOf(fresh);
  const edit = (at: number, next: readonly string[]): void => {
    const wrong = wrongOf(next, at);
    setRefused(wrong);
    if (wrong === undefined) onChange(rows.with(at, next));
  };
  const keepFresh = (): void => {
    if (fresh === undefined || freshWrong !== undefined) return;
    onChange([...rows, fresh]);
    setFresh(undefined);
  };
  const cells = (
    row: readonly string[],
    at: number,
    change: (next: readonly string[]) => void,
    { isFresh = false } = {},
  ) =>
    columns.map((column, index) => (
      <span key={column} data-title={t(`column.${column}`)}>
        <Cell
          isLive={isFresh}
          label={`${field.label}: ${t(`column.${column}`)} ${at + 1}`}
          isLong={longColumns.has(column)}
          choices={shape.choices?.[column]}
          wordOf={(choice) => t(`cell.${choice}`)}
          value={row[index] ?? ''}
          onCommit={(value) => change(row.with(index, value))}
        />
      </span>
    ));
  return (
    <fieldset className="rows-table" data-columns={columns.length}>
      <legend>{field.label}</legend>
      {(rows.length > 0 || fresh !== undefined) && (
        <div className="rows-line rows-head" aria-hidden>
          {columns.map((column) => (
            <span key={column}>{t(`column.${column}`)}</span>
          ))}
        </div>
      )}
      {rows.map((row, at) => (
        <div className="rows-line" key={nameOf(row)}>
          {cells(row, at, (next) => edit(at, next))}
          <IconButton
            label={t('removeRow', { name: row[0] ?? '' })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </div>
      ))}
      {fresh !== undefined && (
        <div
          className="rows-line"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) keepFresh();
          }}
          // Else the form would be saved without it.
          onKeyDown={(event) => {
            if (!isEnter(event) || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            keepFresh();
          }}
        >
          {cells(fresh, rows.length, setFresh, { isFresh: true })}
          <IconButton label={t('keepRow')} disabled={freshWrong !== undefined} onClick={keepFresh}>
            <IconCheck size={16} />
          </IconButton>
        </div>
      )}
      {/* Stays mounted, so that nothing below moves when the pointer leaves the new row. */}
      <Button
        size="small"
        icon={<IconPlus size={15} />}
        disabled={fresh !== undefined}
        onClick={() => setFresh(columns.map((column) => firstOf(shape, column)))}
      >
        {t('addRow')}
      </Button>
      {(refused !== undefined || freshWrong === 'rowTwice') && (
        <p className="field-error" role="alert">
          {freshWrong === 'rowTwice' ? t('rowFreshTwice') : refused && t(refused)}
        </p>
      )}
      {field.error ? (
        <p className="field-error" role="alert">
          {field.error}
        </p>
      ) : (
        field.hint !== undefined && <p className="field-hint">{field.hint}</p>
      )}
    </fieldset>
  );
};

/** The initial values of a new row; selects always have a value. */
const firstOf = ({ choices }: JsonShape, column: JsonShape['columns'][number]): string =>
  choices?.[column]?.[0] ?? '';

/** Texts of several lines. */
const longColumns: ReadonlySet<string> = new Set(['content', 'answer']);

/**
 * Reports the input when the cell loses focus, because half a number is not a value. `isLive` reports every change, for
 * rows that are not part of the value yet.
 */
const Cell = ({
  label,
  value,
  isLong,
  isLive,
  choices,
  wordOf,
  onCommit,
}: {
  readonly label: string;
  readonly value: string;
  readonly isLong: boolean;
  readonly isLive: boolean;
  readonly choices: readonly CellWord[] | undefined;
  readonly wordOf: (choice: CellWord) => string;
  readonly onCommit: (value: string) => void;
}) => {
  const [typed, setTyped] = useState<string>();
  const commit = (): void => {
    if (typed !== undefined && typed !== value) onCommit(typed);
    setTyped(undefined);
  };
  const shared = {
    className: 'input',
    'aria-label': label,
    value: typed ?? value,
    onBlur: commit,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      isLive ? onCommit(target.value) : setTyped(target.value),
  };
  if (choices !== undefined)
    return (
      <select
        className="input"
        aria-label={label}
        value={value}
        onChange={(event) => onCommit(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {wordOf(choice)}
          </option>
        ))}
        {/* A saved value outside the choices stays selectable. */}
        {!choices.some((choice) => choice === value) && <option value={value}>{value}</option>}
      </select>
    );
  if (isLong) return <textarea {...shared} rows={2} />;
  return <input {...shared} spellCheck={false} onKeyDown={(event) => isEnter(event) && commit()} />;
};
