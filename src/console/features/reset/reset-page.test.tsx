// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import ResetPage from './reset-page.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ success: true, message: '', data: null })),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = async (): Promise<HTMLButtonElement> => {
  const router = createRouter({
    routeTree: createRootRoute({ component: ResetPage }),
    history: createMemoryHistory(),
  });
  await act(async () => {
    render(<RouterProvider router={router} />);
    await vi.advanceTimersByTimeAsync(50);
  });
  return screen.getByRole('button');
};
const asked = (): string[] =>
  vi
    .mocked(fetch)
    .mock.calls.map(([address]) => address as string)
    .filter((address) => address.includes('reset'));
const send = async (button: HTMLButtonElement): Promise<void> => {
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(0));
};

it('locks the button for 30 seconds after sending, and counts down', async () => {
  const button = await show();
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' ada@example.com ' } });
  await send(button);
  expect(asked()).toEqual(['/api/reset_password?email=ada%40example.com']);
  for (let second = 0; second < 30; second += 1) {
    expect(button.disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
  expect(button.disabled).toBe(false);
});

it('requires an address', async () => {
  const button = await show();
  await send(button);
  expect([asked(), button.disabled]).toEqual([[], false]);
  expect(screen.getByText('needed').textContent).toBe('needed');
});
