import { MutationObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { queryClient } from './query.ts';
import { toasts } from '../toasts.ts';

const queryKey = ['tokens'];

/** Reads once with success and then again with the error. */
const refreshFailsWith = async (error: Error): Promise<void> => {
  await queryClient.fetchQuery({ queryKey, queryFn: () => Promise.resolve('rows') });
  const again = queryClient.fetchQuery({
    queryKey,
    staleTime: 0,
    retry: false,
    queryFn: () => Promise.reject(error),
  });
  await again.catch(() => undefined);
};

beforeEach(() => queryClient.clear());
afterEach(() => toasts.set([]));

it('shows in a toast why visible data could not be reloaded', async () => {
  await refreshFailsWith(new ApiError('the database is busy', 500));
  expect(toasts.get().map(({ tone }) => tone)).toEqual(['bad']);
});

it('shows no toast if the server does not answer, because it would outlast the failure', async () => {
  await refreshFailsWith(new ApiError('no answer', 0));
  expect(toasts.get()).toEqual([]);
});

it('shows in a toast why a page goes on without a part of it, and leaves other errors to the page', async () => {
  const fails = { retry: false, queryFn: () => Promise.reject(new ApiError('the database is busy', 500)) };
  await queryClient.fetchQuery({ ...fails, queryKey: ['rows'] }).catch(() => undefined);
  expect(toasts.get()).toEqual([]);
  const aside = queryClient.fetchQuery({ ...fails, queryKey: ['names'], meta: { isAside: true } });
  await aside.catch(() => undefined);
  expect(toasts.get().map(({ text }) => text)).toEqual([expect.stringContaining('the database is busy')]);
});

it('after a change every page reads again what it shows, when it is next opened', async () => {
  const read = { queryKey: ['wallet'], queryFn: () => Promise.resolve(++reads), staleTime: 60_000 };
  let reads = 0;
  await queryClient.fetchQuery(read);
  await queryClient.fetchQuery(read);
  expect(reads).toBe(1);
  const pay = new MutationObserver(queryClient, { mutationFn: () => Promise.resolve('paid') });
  await pay.mutate();
  expect(reads).toBe(1);
  await queryClient.fetchQuery(read);
  expect(reads).toBe(2);
});
