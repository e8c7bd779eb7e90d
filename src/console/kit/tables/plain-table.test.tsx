// @vitest-environment happy-dom
import { render } from '@testing-library/react';
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
