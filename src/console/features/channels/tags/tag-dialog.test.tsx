// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../lib/server/query.ts';
import { endSession, startSession } from '../../../lib/session/session.ts';
import type { Channel } from '../channel.ts';
import type { TagOfChannels } from '../channel-work.ts';
import TagDialog from './tag-dialog.tsx';
import TagDrawer from './tag-drawer.tsx';

let bodies: { readonly was?: unknown }[] = [];

beforeEach(() => {
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 100, status: 1, group: 'default' });
  bodies = [];
  // The server refuses what is based on what others have changed.
  vi.stubGlobal(
    'fetch',
    async (address: string, { method, body }: { readonly method: string; readonly body: string }) => {
      if (method === 'GET')
        return Response.json({
          success: true,
          message: '',
          data: address.includes('/tag/models') ? 'gpt-5' : [],
        });
      const sent = JSON.parse(body) as { readonly was?: object };
      bodies.push(sent);
      const isBased = Object.keys(sent.was ?? {}).length > 0;
      return isBased
        ? Response.json({ success: false, message: 'changed', code: 'changed_meanwhile' }, { status: 409 })
        : Response.json({ success: true, message: '', data: 1 });
    },
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const show = async (page: ReactNode) => {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => page }),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
};

const wasSent = (): unknown[] => bodies.map(({ was }) => was);

test('whoever is told that others have changed the tags, and saves again, replaces them', async () => {
  const closed = vi.fn<() => void>();
  await show(<TagDialog channels={[{ id: 3, tag: 'seen' } as Channel]} onClose={closed} />);
  fireEvent.change(await screen.findByLabelText('form.tag'), { target: { value: 'mine' } });
  fireEvent.click(screen.getByText('batch.setTag'));
  expect(await screen.findByText('changed')).toBeDefined();
  fireEvent.click(screen.getByText('batch.setTag'));
  await expect.poll(() => closed.mock.calls.length).toBe(1);
  expect(wasSent()).toEqual([[{ id: 3, tag: 'seen' }], []]);
});

test('the same holds for the models and groups of a tag', async () => {
  const closed = vi.fn<() => void>();
  await show(<TagDrawer tag={{ tag: 'main', group: 'default' } as TagOfChannels} onClose={closed} />);
  const save = await screen.findByRole('button', { name: 'action.save' });
  fireEvent.click(save);
  expect(await screen.findByText('changed')).toBeDefined();
  fireEvent.click(save);
  await expect.poll(() => closed.mock.calls.length).toBe(1);
  expect(wasSent()).toEqual([{ models: 'gpt-5', groups: 'default' }, {}]);
});
