// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { type PlainColumn, PlainTable } from './plain-table.tsx';

it('filtering or growing a list draws only the new rows', () => {
  const cell = vi.fn<(row: string) => string>((row) => row);
  const columns: readonly PlainColumn<string>[] = [{ id: 'name', title: 'Name', cell }];
  const table = (rows: readonly string[]) => (
    <PlainTable
      label="Models"
      columns={columns}
      rows={rows}
      rowId={(row) => row}
      sort=""
      onSort={() => undefined}
    />
  );
  const { rerender } = render(table(['a', 'b', 'c']));
  cell.mockClear();
  rerender(table(['b', 'c', 'd']));
  expect(cell.mock.calls).toEqual([['d']]);
});

it('a heading sorts up, then down, then not at all, and says so', () => {
  const columns: readonly PlainColumn<string>[] = [
    { id: 'name', title: 'Name', sortable: true, cell: (row) => row },
  ];
  const sorts: (string | undefined)[] = [];
  const Page = () => {
    const [sort, setSort] = useState('');
    const onSort = (next: string | undefined): void => {
      sorts.push(next);
      setSort(next ?? '');
    };
    return (
      <PlainTable
        label="Prices"
        columns={columns}
        rows={['a']}
        rowId={(row) => row}
        sort={sort}
        onSort={onSort}
      />
    );
  };
  render(<Page />);
  const heading = screen.getByRole('columnheader', { name: 'Name' });
  const said = [1, 2, 3].map(() => {
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    return heading.getAttribute('aria-sort');
  });
  expect(sorts).toEqual(['name', '-name', undefined]);
  expect(said).toEqual(['ascending', 'descending', null]);
});
