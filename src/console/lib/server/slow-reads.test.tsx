// @vitest-environment happy-dom
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ErrorState } from '../../kit/states.tsx';
import { ApiError } from './api-error.ts';
import { queryClient } from './query.ts';
import { failedReads, readAgain } from './slow-reads.ts';

let answer: () => Promise<string>;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

/** A part of a page that looks empty when its data could not be loaded, unless it says why. */
const Part = ({ isFrank = false }: { readonly isFrank?: boolean }) => {
  const { data = 'nothing', error } = useQuery({ queryKey: ['part'], queryFn: () => answer(), retry: false });
  return isFrank && error !== null ? <ErrorState error={error} /> : <output>{data}</output>;
};

const show = async (error: Error, isFrank = false): Promise<boolean> => {
  answer = () => Promise.reject(error);
  render(
    <QueryClientProvider client={queryClient}>
      <Part isFrank={isFrank} />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1000));
  return failedReads.get();
};

it('a part that fails and does not say so is said above the page, until it is loaded', async () => {
  expect(await show(new ApiError('internal server error', 500))).toBe(true);
  expect(screen.getByRole('status').textContent).toBe('nothing');
  answer = () => Promise.resolve('something');
  await act(async () => {
    await readAgain();
    await vi.advanceTimersByTimeAsync(1000);
  });
  expect([screen.getByRole('status').textContent, failedReads.get()]).toEqual(['something', false]);
});

it.each([
  ['says it itself', new ApiError('internal server error', 500), true],
  ['was refused', new ApiError('the minimum is 1', 200), false],
  ['has no connection', new ApiError('unable to connect', 0), false],
])('nothing more is said of a part that %s', async (_what, error, isFrank) => {
  expect(await show(error, isFrank)).toBe(false);
});

it('what a proxy answers in place of the server counts as a failure', async () => {
  expect(await show(new ApiError('incomplete', 200, undefined, {}, true))).toBe(true);
});
