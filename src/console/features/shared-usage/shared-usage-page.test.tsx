// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import SharedUsagePage from './shared-usage-page.tsx';

const usage = {
  name: 'build server',
  status: 1,
  created_time: 1,
  expired_time: null,
  used_units: 5,
  remaining_units: null,
  days: [],
  models: [],
  link_expired_time: null,
};

it('usage that cannot be read again stays, with the reason above it', async () => {
  let status = 200;
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: status === 200, message: 'the database is busy', data: usage }, { status }),
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: SharedUsagePage }),
    history: createMemoryHistory({ initialEntries: ['/#secret'] }),
  });
  render(<RouterProvider router={router} />);
  const refresh = await screen.findByRole('button', { name: 'refresh' });
  status = 500;
  fireEvent.click(refresh);
  expect((await screen.findByRole('alert')).textContent).toContain('The database is busy');
  expect(screen.getByText('used')).toBeDefined();
  status = 200;
  fireEvent.click(refresh);
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
  vi.unstubAllGlobals();
});
