// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSession, startSession } from '../../lib/session/session.ts';
import { loadSiteStatus } from '../../lib/server/site-status.ts';
import zh from '../../locales/zh/chat.json' with { type: 'json' };
import ChatPage from './chat-page.tsx';

const token = {
  id: 1,
  key: 'k'.repeat(48),
  status: 1,
  expired_time: -1,
  remain_quota: 5,
  unlimited_quota: false,
};
const status = {
  system_name: 'T',
  quota_per_unit: 500_000,
  server_address: 'https://gate.example',
  chat_link: '',
  chats: [{ One: 'https://chat.example/?key={key}&url={address}' }, { Bad: 'javascript:alert(1)' }],
};

let tokens: readonly object[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  tokens = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const items = { items: tokens, total: tokens.length, page: 1, page_size: 100 };
    return Response.json({ success: true, message: '', data: address.includes('token') ? items : status });
  });
  localStorage.clear();
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' });
});
afterEach(() => {
  endSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const wait = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

const show = async (address: string, client = newClient()) => {
  await loadSiteStatus();
  const root = createRootRoute();
  const page = (path: string) => createRoute({ getParentRoute: () => root, path, component: ChatPage });
  const list = createRoute({ getParentRoute: () => root, path: '/token', component: () => 'tokens' });
  const router = createRouter({
    routeTree: root.addChildren([page('/chat/$id'), page('/chat'), page('/chat2link'), list]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await act(async () => {
    render(
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    await vi.advanceTimersByTimeAsync(10);
  });
  // The first answer is drawn a moment after it came.
  for (let turn = 0; turn < 5; turn += 1) await wait(0);
  return () => router.state.location.pathname;
};
it.each(['/chat/0', '/chat2link'])(
  '%s without an enabled token says so, and opens the token list after 1.5 s',
  async (address) => {
    tokens = [
      { ...token, status: 2 },
      { ...token, expired_time: 1 },
      { ...token, remain_quota: 0 },
    ];
    const path = await show(address);
    expect(screen.getByRole('alert').textContent).toContain('noToken');
    await wait(1490);
    expect(path()).toBe(address);
    await wait(10);
    expect(path()).toBe('/token');
    expect(zh.noToken).toMatch(/^当前没有可用的启用令牌/);
  },
);

it('a link with a forbidden scheme, or that is not in the list, asks the user to contact the administrator', async () => {
  tokens = [token];
  for (const address of ['/chat/1', '/chat/7', '/chat/x']) {
    await show(address);
    expect(screen.getByRole('alert').textContent).toContain('wrongLink');
    cleanup();
  }
  expect([zh.wrongLink, zh.noLink]).toEqual(['聊天链接配置错误，请联系管理员', '请联系管理员配置聊天链接']);
});

it('a program is not opened with a key of the last visit', async () => {
  const client = newClient();
  tokens = [token];
  await show('/chat/0', client);
  expect(screen.getByRole('button', { name: 'warnYes' })).toBeDefined();
  cleanup();
  await wait(0);
  expect(client.getQueryCache().getAll()).toEqual([]);
});
