// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { afterAll, expect, it, vi } from 'vitest';

vi.mock('../../lib/server/run-batch.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

// Modules of its own: files before this one may have loaded it, and those after it must not meet its loss.
vi.resetModules();
const { toasts } = await import('../../lib/toasts.ts');
const { useBatch } = await import('./batch-progress.tsx');
afterAll(() => void vi.resetModules());

it('an action on many rows whose code cannot be loaded says so, and shows no progress that never ends', async () => {
  const act = vi.fn<() => Promise<void>>(async () => undefined);
  const Page = () => {
    const { run, view } = useBatch();
    const job = { title: 'Disabling', done: 'Disabled', items: [1, 2], nameOf: String, act, refresh: 'rows' };
    return (
      <>
        <button type="button" onClick={() => void run(job)}>
          Disable
        </button>
        {view}
      </>
    );
  };
  render(<Page />);
  fireEvent.click(screen.getByRole('button'));
  await expect.poll(() => toasts.get().map(({ tone }) => tone)).toEqual(['bad']);
  expect([screen.queryByRole('progressbar'), act.mock.calls.length]).toEqual([null, 0]);
});
