import { IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { OptionKey } from '#contract/options.ts';
import { parsed } from '#contract/json-text.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import type { FieldProps } from '../../kit/fields/field.tsx';
import { JsonField } from '../../kit/fields/json-field.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { type JsonShape, shapeOf } from './json-shapes.ts';

interface JsonOptionProps {
  readonly optionKey: OptionKey;
  readonly text: string;
  readonly field: FieldProps;
  readonly onChange: (text: string) => void;
}

/** A JSON option: as a table where its shape allows, or as text; one click between the two. */
export const JsonOption = ({ optionKey, text, field, onChange }: JsonOptionProps) => {
  const { t } = useTranslation('settings');
  const [isText, setText] = useState(false);
  const shape = shapeOf(optionKey);
  const rows = shape?.read(parsed(text.trim() === '' ? '{}' : text));
  if (shape === undefined || field.disabled === true)
    return <JsonField {...field} value={text} onChange={onChange} />;
  const isTable = !isText && rows !== undefined;
  return (
    <div className="json-option">
      <div className="json-option-turn">
        <button type="button" className="link" disabled={rows === undefined} onClick={() => setText(isTable)}>
          {isTable ? t('asText') : t('asTable')}
        </button>
      </div>
      {isTable ? (
        <RowsTable
          shape={shape}
          rows={rows}
          field={field}
          onChange={(next) => onChange(JSON.stringify(shape.write(next), null, 2))}
        />
      ) : (
        <JsonField {...field} value={text} onChange={onChange} />
      )}
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
  // A row without a name cannot be in the JSON yet; it waits here until it has one.
  const [fresh, setFresh] = useState<readonly string[]>();
  const isNamed = (name: string | undefined): boolean => name !== undefined && name.trim() !== '';
  const isTaken = (name: string): boolean => rows.some(([known]) => known === name.trim());
  const edit = (at: number, column: number, value: string): void => {
    if (column === 0 && (!isNamed(value) || isTaken(value))) return;
    onChange(rows.map((row, index) => (index === at ? row.with(column, value) : row)));
  };
  const keepFresh = (): void => {
    if (fresh === undefined || !isNamed(fresh[0]) || isTaken(fresh[0] ?? '')) return;
    onChange([...rows, fresh]);
    setFresh(undefined);
  };
  return (
    <fieldset className="rows-table" data-columns={shape.columns.length}>
      <legend>{field.label}</legend>
      {rows.length > 0 && (
        <div className="rows-line rows-head" aria-hidden>
          {shape.columns.map((column) => (
            <span key={column}>{t(`column.${column}`)}</span>
          ))}
        </div>
      )}
      {rows.map((row, at) => (
        <div className="rows-line" key={row[0]}>
          {shape.columns.map((column, index) => (
            <span key={column}>
              <Cell
                label={`${field.label}: ${t(`column.${column}`)} ${at + 1}`}
                isLong={longColumns.has(column)}
                value={row[index] ?? ''}
                onCommit={(value) => edit(at, index, value)}
              />
            </span>
          ))}
          <IconButton
            label={t('removeRow', { name: row[0] ?? '' })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </div>
      ))}
      {fresh === undefined ? (
        <Button
          size="small"
          icon={<IconPlus size={15} />}
          onClick={() => setFresh(shape.columns.map(() => ''))}
        >
          {t('addRow')}
        </Button>
      ) : (
        <div className="rows-line">
          {shape.columns.map((column, index) => (
            <span key={column}>
              <Cell
                label={`${field.label}: ${t(`column.${column}`)} ${rows.length + 1}`}
                isLong={longColumns.has(column)}
                value={fresh[index] ?? ''}
                onCommit={(value) => setFresh(fresh.with(index, value))}
              />
            </span>
          ))}
          <IconButton
            label={t('keepRow')}
            disabled={!isNamed(fresh[0]) || isTaken(fresh[0] ?? '')}
            onClick={keepFresh}
          >
            <IconCheck size={16} />
          </IconButton>
        </div>
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

/** Texts of several lines. */
const longColumns: ReadonlySet<string> = new Set(['content', 'answer']);

/** Keeps what is typed, and reports it when the cell loses focus: half a number is not a value yet. */
const Cell = ({
  label,
  value,
  isLong,
  onCommit,
}: {
  readonly label: string;
  readonly value: string;
  readonly isLong: boolean;
  readonly onCommit: (value: string) => void;
}) => {
  const [typed, setTyped] = useState<string>();
  const commit = (): void => {
    if (typed !== undefined && typed !== value) onCommit(typed);
    setTyped(undefined);
  };
  const shared = { className: 'input', 'aria-label': label, value: typed ?? value, onBlur: commit };
  if (isLong) return <textarea {...shared} rows={2} onChange={(event) => setTyped(event.target.value)} />;
  return (
    <input
      {...shared}
      spellCheck={false}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
};
