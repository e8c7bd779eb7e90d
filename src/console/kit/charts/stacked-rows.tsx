import type { ReactNode } from 'react';

interface StackedRowsProps {
  readonly label: string;
  readonly titles: readonly { readonly title: string; readonly hidden?: boolean }[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
}

/**
 * The rows of a table as stacked blocks, if its columns have no room: the first cell is the heading, the others have their
 * column's title.
 */
export const StackedRows = ({ label, titles, rows }: StackedRowsProps) => (
  <ul className="stacked-rows" aria-label={label}>
    {rows.map(({ id, cells: [first, ...others] }) => (
      <li key={id}>
        <div className="stacked-lead">{first}</div>
        <dl>
          {others.map((cell, at) => {
            const { title = '', hidden = false } = titles[at + 1] ?? {};
            if (cell === '' || (Array.isArray(cell) && cell.length === 0)) return null;
            return (
              <div key={title}>
                <dt className={hidden ? 'hidden-visually' : undefined}>{title}</dt>
                <dd>{cell}</dd>
              </div>
            );
          })}
        </dl>
      </li>
    ))}
  </ul>
);
