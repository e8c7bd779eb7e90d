// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiError } from '../../lib/server/api-error.ts';
import { parseUrl, writeUrl, type UrlPatch } from '../../lib/browser/url-state.ts';
import type { Column, View } from './column.ts';
import type { Filter } from './filter.ts';
// Loaded late by the table, and on a busy machine later than a test waits.
import './grid/table-keys.tsx';
import './pager.tsx';
import { ResourceTable } from './resource-table.tsx';

interface Thing {
  readonly id: number;
  readonly name: string;
}

const things: readonly Thing[] = Array.from({ length: 23 }, (_, at) => ({
  id: at + 1,
  name: `thing ${at + 1}`,
}));
const columns: readonly Column<Thing>[] = [
  { id: 'name', title: 'Name', cell: (row) => row.name },
  {
    id: 'money',
    title: 'Used / left',
    sorts: [
      { id: 'used', title: 'Used' },
      { id: 'left', title: 'Left' },
    ],
    cell: () => '1 / 2',
  },
];

const pageOf = async (view: View) => {
  const found = things.filter((thing) => thing.name.includes(view.search));
  return {
    items: found.slice((view.page - 1) * view.pageSize, view.page * view.pageSize),
    total: found.length,
  };
};

const filters: readonly Filter[] = [{ id: 'kind', kind: 'text', label: 'Kind' }];

const show = (
  address: string,
  load: (view: View) => ReturnType<typeof pageOf> = pageOf,
  narrowedBy: readonly Filter[] = filters,
  beforeLoad: () => Promise<void> = async () => undefined,
) => {
  const above = (page: { readonly total: number } | undefined) => <i id="above">{page?.total}</i>;
  const Page = () => (
    <ResourceTable
      name="things"
      label="Things"
      columns={columns}
      filters={narrowedBy}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      load={load}
      searchLabel="Search"
      above={above}
      emptyText="No things"
      batch={(rows) => <span>{rows.map((row) => row.id).join(',')}</span>}
    />
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: Page, beforeLoad }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseUrl,
    stringifySearch: (search) => writeUrl(search as UrlPatch),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
};

const rowNames = (): (string | null)[] =>
  [...document.querySelectorAll('tbody td:nth-child(2)')].map((cell) => cell.textContent);

it('shows the page that the address names, and puts the next one into the address', async () => {
  const router = show('/?page=3');
  await screen.findByText('thing 21');
  expect(rowNames()).toEqual(['thing 21', 'thing 22', 'thing 23']);
  fireEvent.click(await screen.findByRole('button', { name: 'pager.previous' }));
  await screen.findByText('thing 11');
  expect(router.state.location.search).toEqual({ page: '2' });
});

it('shows 10, 20, 50 or 100 rows, and keeps the choice under page-size', async () => {
  show('/');
  await screen.findByText('thing 1');
  const size = await screen.findByRole<HTMLSelectElement>('combobox');
  expect([...size.options].map(({ value }) => value)).toEqual(['10', '20', '50', '100']);
  fireEvent.change(size, { target: { value: '20' } });
  await screen.findByText('thing 20');
  expect(localStorage.getItem('page-size')).toBe('20');
  cleanup();
  show('/');
  await screen.findByText('thing 20');
  localStorage.removeItem('page-size');
});

it('sorts by each value of a cell: descending, then ascending, then in the original order', async () => {
  const router = show('/?sort=-used');
  await screen.findByText('thing 1');
  const sorted = () => {
    const head = screen.getByRole('columnheader', { name: /Used/ });
    return [router.state.location.search, head.getAttribute('aria-sort')];
  };
  expect(sorted()).toEqual([{ sort: '-used' }, 'descending']);
  for (const [sort, order] of [
    ['-left', 'descending'],
    ['left', 'ascending'],
    [undefined, null],
  ]) {
    fireEvent.click(screen.getByRole('button', { name: 'Left' }));
    await waitFor(() => expect(sorted()).toEqual([sort === undefined ? {} : { sort }, order]));
  }
});

it('passes the selected rows to the batch bar: one, a range with Shift, the whole page, none', async () => {
  show('/');
  await screen.findByText('thing 1');
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  const bar = (): string | undefined => document.querySelector('.batch-bar > span:nth-child(2)')?.textContent;
  fireEvent.click(boxes[2] as HTMLInputElement);
  await waitFor(() => expect(bar()).toBe('2'));
  fireEvent.click(boxes[5] as HTMLInputElement, { shiftKey: true });
  expect(bar()).toBe('2,3,4,5');
  fireEvent.click(boxes[0] as HTMLInputElement);
  expect(bar()).toBe('1,2,3,4,5,6,7,8,9,10');
  fireEvent.click(boxes[0] as HTMLInputElement);
  expect(bar()).toBeUndefined();
});

it('moves with j and k, and selects with x', async () => {
  show('/');
  await screen.findByText('thing 1');
  for (const key of ['j', 'j', 'k', 'j', 'x']) fireEvent.keyDown(document.body, { key });
  expect([...document.querySelectorAll('tr.row-chosen')].map((row) => row.getAttribute('data-row'))).toEqual([
    '2',
  ]);
});

it('says that the list is empty, and offers to clear the filters if they are the reason', async () => {
  show('/', async () => ({ items: [], total: 0 }));
  await screen.findByText('No things');
  cleanup();
  const router = show('/?q=zzz');
  fireEvent.click(await screen.findByRole('button', { name: 'table.clearFilters' }));
  await screen.findByText('thing 1');
  expect(router.state.location.search).toEqual({});
});

it('a page beyond the last is the last, and Back does not return to it', async () => {
  const router = show('/?page=9');
  await waitFor(() => expect(rowNames()).toEqual(['thing 21', 'thing 22', 'thing 23']));
  expect([router.state.location.search, router.history.length]).toEqual([{ page: '3' }, 1]);
});

it("shows the server's error with the request id, and reloads on Retry", async () => {
  let calls = 0;
  show('/', async (view) => {
    calls += 1;
    if (calls === 1) throw new ApiError('the database is busy', 503, 'req-9');
    return pageOf(view);
  });
  await screen.findByText('the database is busy');
  expect(screen.getByRole('alert').textContent).toContain('req-9');
  fireEvent.click(screen.getByRole('button', { name: 'action.retry' }));
  await waitFor(() => expect(rowNames()).toHaveLength(10));
});

it('an applied filter keeps the focus, and the number of results is announced', async () => {
  const router = show('/', async (view) => {
    const items = things.filter(({ name }) => name.endsWith(view.filters['kind'] ?? ''));
    return { items: items.slice(0, view.pageSize), total: items.length };
  });
  await screen.findByText('thing 1');
  const status = () => document.querySelector('.resource > [role=status]')?.textContent;
  expect(status()).toBe('table.found');
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Kind' });
  field.focus();
  fireEvent.change(field, { target: { value: '3' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  // Not while the old rows are still shown.
  await waitFor(() => expect([rowNames().length, status()]).toEqual([3, 'table.found']));
  expect(router.state.location.search).toEqual({ kind: '3' });
  expect(document.activeElement).toBe(field);
  await router.navigate({ to: '/', search: {} });
  await waitFor(() => expect(field.value).toBe(''));
});

it('letters that are typed while the address takes those before them are kept', async () => {
  let gate = Promise.resolve();
  const router = show('/', pageOf, filters, () => gate);
  await screen.findByText('thing 1');
  const box = screen.getByRole<HTMLInputElement>('searchbox');
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  fireEvent.change(box, { target: { value: 'thing 2' } });
  await waitFor(() => expect(router.latestLocation.search).toEqual({ q: 'thing 2' }));
  fireEvent.change(box, { target: { value: 'thing 23' } });
  resolve();
  await waitFor(() => expect(rowNames()).toEqual(['thing 23']));
  expect(box.value).toBe('thing 23');
});

it('what stands above the rows is about the page that is shown, also about one that was read before', async () => {
  const router = show('/');
  const about = () => document.getElementById('above')?.textContent;
  await waitFor(() => expect(about()).toBe('23'));
  await router.navigate({ to: '/', search: { q: 'thing 2' } });
  await waitFor(() => expect(about()).toBe('5'));
  await router.navigate({ to: '/', search: {} });
  await waitFor(() => expect(about()).toBe('23'));
});

it('says on a phone how many folded filters narrow the list, and shows the time it covers', async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  happyDOM.setViewport({ width: 390 });
  try {
    const time: Filter = { id: 'when', kind: 'time', label: 'Last 30 days' };
    show('/?kind=new', pageOf, [...filters, time]);
    const fold = await screen.findByRole('button', { name: /\(1\)$/ });
    expect(fold.dataset['count']).toBe('1');
    expect(screen.queryByRole('textbox', { name: 'Kind' })).toBeNull();
    expect(await screen.findAllByText('Last 30 days')).not.toHaveLength(0);
    cleanup();
    show('/');
    await screen.findAllByText('thing 1');
    expect(document.querySelector('.toolbar [aria-expanded]')).not.toBeNull();
    expect(document.querySelector('[data-count]')).toBeNull();
  } finally {
    happyDOM.setViewport({ width: 1024 });
  }
});
