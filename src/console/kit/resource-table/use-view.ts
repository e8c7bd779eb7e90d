import { type ViewControls, filterNames, type Filter } from './filter.ts';
import { useState } from 'react';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#contract/limits.ts';
import { readStored, store } from '../../lib/browser/stored.ts';
import { useUrlState, type UrlState } from '../../lib/browser/url-state.ts';
import type { Sort } from './column.ts';

/** Where the chosen page size is kept. Source: specification, constants. */
const PAGE_SIZE_KEY = 'page-size';

const storedPageSize = (): number => {
  const size = Number(readStored(PAGE_SIZE_KEY));
  return PAGE_SIZES.some((known) => known === size) ? size : DEFAULT_PAGE_SIZE;
};

const readSort = (text: string | undefined): Sort | undefined => {
  if (!text) return undefined;
  return text.startsWith('-')
    ? { column: text.slice(1), isDescending: true }
    : { column: text, isDescending: false };
};

/** Data is requested after the click has been drawn: in one task, both would block the page for the sum of their times. */
const afterClick = (ask: () => void): void => void setTimeout(ask, 0);

const readPage = (text: string | undefined): number => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1);

/** The table's view, from the address and the stored page size, and functions that change it. */
export const useView = (filters: readonly Filter[]): ViewControls => {
  const [url, patch] = useUrlState();
  const [pageSize, setSize] = useState(storedPageSize);
  const names = filters.flatMap(filterNames);
  const values = Object.fromEntries(names.map((name) => [name, url[name] ?? '']));
  const sort = readSort(url['sort']);

  const narrow: ViewControls['narrow'] = (change, options) => patch({ ...change, page: undefined }, options);
  return {
    view: { page: readPage(url['page']), pageSize, search: url['q'] ?? '', filters: values, sort },
    narrow,
    goTo: (page, options) =>
      afterClick(() => patch({ page: page === 1 ? undefined : String(page) }, options)),
    setPageSize: (size) => {
      store(PAGE_SIZE_KEY, String(size));
      setSize(size);
      patch({ page: undefined });
    },
    sortBy: (column) => afterClick(() => narrow({ sort: nextSort(sort, column) })),
    clear: () => narrow(Object.fromEntries(['q', ...names].map((name) => [name, undefined]))),
    isNarrowed: isNarrowed(url, names),
    asked: (wanted) =>
      Object.fromEntries(
        wanted.flatMap((name) => (url[name] === undefined || url[name] === '' ? [] : [[name, url[name]]])),
      ),
  };
};

/** Descending first, then ascending, then the list's own order. */
const nextSort = (sort: Sort | undefined, column: string): string | undefined => {
  if (sort?.column !== column) return `-${column}`;
  return sort.isDescending ? column : undefined;
};

const isNarrowed = (url: UrlState, names: readonly string[]): boolean =>
  ['q', ...names].some((name) => Boolean(url[name]));
