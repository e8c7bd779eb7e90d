// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/server/api-error.ts';
import { noteAnswer, noteSilence } from '../../lib/server/connection.ts';
import { PageError } from './page-error.tsx';

const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
const MISSING = new ApiError('Part of this page could not be loaded', 0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => new Response('{}'));
  reload.mockClear();
});
afterEach(() => {
  noteAnswer();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = async (error: Error): Promise<void> => {
  const Broken = () => <PageError error={error} reset={() => undefined} />;
  const router = createRouter({
    routeTree: createRootRoute({ component: Broken }),
    history: createMemoryHistory(),
  });
  await act(async () => {
    render(<RouterProvider router={router} />);
    await vi.advanceTimersByTimeAsync(50);
  });
};

const serverReturns = async (): Promise<void> => {
  act(noteSilence);
  await act(async () => {
    noteAnswer();
    await vi.advanceTimersByTimeAsync(0);
  });
};

it('loads a page that could not be loaded once the server answers again', async () => {
  await show(MISSING);
  expect(screen.getByText(MISSING.message)).toBeDefined();
  await serverReturns();
  expect(reload).toHaveBeenCalledTimes(1);
});

it.each([
  new TypeError('Failed to fetch dynamically imported module: https://site/assets/a.js'),
  new Error('Unable to preload CSS for https://site/assets/a.css'),
])(
  '%o: says that a part is missing, not which file, and loads the page once the server answers again',
  async (error) => {
    await show(error);
    expect(screen.queryByText(/assets/)).toBeNull();
    await serverReturns();
    expect(reload).toHaveBeenCalledTimes(1);
  },
);

it('leaves a page that broke for another reason as it is when the server answers again', async () => {
  await show(new TypeError("Cannot read properties of null (reading 'length')"));
  expect(screen.queryByText(/properties/)).toBeNull();
  await serverReturns();
  expect(reload).not.toHaveBeenCalled();
  // Drawing it again from the same data would break it again.
  screen.getByRole('button').click();
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledTimes(1);
});
