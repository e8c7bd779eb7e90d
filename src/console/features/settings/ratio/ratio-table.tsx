import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../../kit/button.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { EmptyState } from '../../../kit/states.tsx';
import { toast } from '../../../lib/toasts.ts';
import { type Translate, useTranslation } from '../../../lib/text/i18n.ts';
import { isTyping, type RatioColumn, type RatioRow } from './ratio-rows.ts';
import { SearchInput } from '../../../kit/search-input.tsx';

interface RatioTableProps {
  readonly label: string;
  readonly rows: readonly RatioRow[];
  readonly onEdit: (name: string, column: RatioColumn, text: string) => void;
  readonly onRemove?: (name: string) => void;
  /** The chosen names; without it rows cannot be chosen. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (chosen: ReadonlySet<string>) => void;
  readonly emptyText: string;
}

/** Source: specification, model pricing table. */
const PAGE_SIZE = 10;
const columns: readonly RatioColumn[] = ['price', 'ratio', 'completionRatio'];

/** Models with their price or ratios, ten to a page, edited in place. */
export const RatioTable = (props: RatioTableProps) => {
  const { label, rows, chosen, onChoose, emptyText } = props;
  const { t } = useTranslation('settings');
  const [wanted, setWanted] = useState('');
  const [asked, setAsked] = useState(0);
  const found = rows.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(asked, pages - 1);
  const shown = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const allChosen = shown.length > 0 && shown.every(({ name }) => chosen?.has(name) === true);
  const turnAll = (): void => {
    const next = new Set(chosen);
    for (const { name } of shown) {
      if (allChosen) next.delete(name);
      else next.add(name);
    }
    onChoose?.(next);
  };
  return (
    <div className="ratio-table">
      <div className="ratio-tools">
        <SearchInput label={t('visual.search')} value={wanted} onChange={setWanted} />
        {chosen !== undefined && (
          <label className="switch-line">
            <input type="checkbox" className="checkbox" checked={allChosen} onChange={turnAll} />
            {t('visual.chooseAll')}
          </label>
        )}
      </div>
      {shown.length === 0 ? (
        <EmptyState text={wanted === '' ? emptyText : t('visual.notFound')} />
      ) : (
        <SmallTable
          label={label}
          columns={[
            ...(chosen === undefined ? [] : [{ title: t('visual.pick') }]),
            { title: t('visual.name') },
            ...columns.map((column) => ({ title: t(`visual.${column}`) })),
            ...(props.onRemove === undefined ? [] : [{ title: t('visual.actions') }]),
          ]}
          rows={shown.map((row) => ({ id: row.name, cells: cellsOf(row, props, t) }))}
        />
      )}
      {found.length > PAGE_SIZE && (
        <div className="ratio-pages">
          <span className="meta number">
            {t('visual.range', {
              from: page * PAGE_SIZE + 1,
              to: page * PAGE_SIZE + shown.length,
              total: found.length,
            })}
          </span>
          <button type="button" className="preset" disabled={page === 0} onClick={() => setAsked(page - 1)}>
            {t('visual.previous')}
          </button>
          <button
            type="button"
            className="preset"
            disabled={page === pages - 1}
            onClick={() => setAsked(page + 1)}
          >
            {t('visual.next')}
          </button>
        </div>
      )}
    </div>
  );
};

/** The cells of one row, in the order of the columns. */
const cellsOf = (row: RatioRow, table: RatioTableProps, t: Translate<'settings'>): readonly ReactNode[] => {
  const { chosen, onChoose, onRemove, onEdit } = table;
  const turn = (): void => {
    const next = new Set(chosen);
    if (!next.delete(row.name)) next.add(row.name);
    onChoose?.(next);
  };
  const type = (column: RatioColumn, text: string): void => {
    if (isTyping(text)) onEdit(row.name, column, text);
    else toast('bad', t('wrong.number'));
  };
  const pick = (
    <input
      key="pick"
      type="checkbox"
      className="checkbox"
      aria-label={t('visual.choose', { name: row.name })}
      checked={chosen?.has(row.name) === true}
      onChange={turn}
    />
  );
  const inputs = columns.map((column) => (
    <input
      key={column}
      className="input number ratio-input"
      inputMode="decimal"
      aria-label={`${row.name}: ${t(`visual.${column}`)}`}
      disabled={column !== 'price' && row.price !== ''}
      value={column !== 'price' && row.price !== '' ? '' : row[column]}
      onChange={(event) => type(column, event.target.value)}
    />
  ));
  const remove = onRemove !== undefined && (
    <IconButton key="remove" label={t('removeRow', { name: row.name })} onClick={() => onRemove(row.name)}>
      <IconTrash size={16} />
    </IconButton>
  );
  return [
    ...(chosen === undefined ? [] : [pick]),
    <span key="name" className="mono ratio-name">
      {row.name}
    </span>,
    ...inputs,
    ...(onRemove === undefined ? [] : [remove]),
  ];
};
