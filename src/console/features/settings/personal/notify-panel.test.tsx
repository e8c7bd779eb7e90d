// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openedDialog } from '../../../kit/dialogs/dialogs.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { loadTexts } from '../../../lib/text/i18n.ts';
import { toasts } from '../../../lib/toasts.ts';
import PersonalPanels from './personal-panels.tsx';

let setting: string;

const account = { id: 2, username: 'ada', role: 1, group: 'default', quota: 1, used_quota: 0, email: '' };

/** Stores settings as the real one does; every other list is empty. */
const server = async (address: string, init?: RequestInit): Promise<Response> => {
  if (init?.method === 'PUT')
    setting = JSON.stringify({ ...JSON.parse(setting || '{}'), ...JSON.parse(init.body as string) });
  const data = address.startsWith('/api/user/self') ? { ...account, request_count: 0, setting } : [];
  return Response.json({ success: true, message: '', data });
};

beforeEach(async () => {
  setting = '';
  vi.stubGlobal('fetch', vi.fn(server));
  await loadTexts('personal');
});
afterEach(() => {
  openedDialog.set(undefined);
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Opens the tab. Texts are Chinese, the default language. */
const show = async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: PersonalPanels }),
    history: createMemoryHistory({ initialEntries: ['/setting'] }),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, address: await screen.findByLabelText<HTMLInputElement>('通知邮箱') };
};

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const isGuarded = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
const told = () => expect.poll(() => toasts.get().length).toBe(1);

it('offers thresholds of 100,000, 500,000, 1,000,000 and 5,000,000 units', async () => {
  await show();
  const presets = [...document.querySelectorAll('.preset')];
  expect(presets.map(({ textContent }) => textContent)).toEqual(['$0.20', '$1.00', '$2.00', '$10.00']);
});

it.each([
  ['nothing was ever saved', '', '100000'],
  ['something was saved without it', '{"notify_type":"email"}', '500000'],
  ['it was saved', '{"quota_warning_threshold":7}', '7'],
])('the threshold where %s', async (_, saved, shown) => {
  setting = saved;
  await show();
  const inputs = [...document.querySelectorAll('input')];
  expect(inputs.map(({ value }) => value.replaceAll(',', ''))).toContain(shown);
});

it('what is typed stays while another panel saves, and goes to the server with the next save', async () => {
  const { address } = await show();
  type(address, 'ada@example.org');
  fireEvent.click(screen.getByRole('switch', { name: /^记录/ }));
  await told();
  expect(JSON.parse(setting)).toEqual({ record_ip_log: false });
  expect(address.isConnected).toBe(true);
  expect(address.value).toBe('ada@example.org');
  const save = screen.getByRole('button', { name: '保存' });
  save.focus();
  fireEvent.click(save);
  await expect.poll(() => JSON.parse(setting)).toMatchObject({ notification_email: 'ada@example.org' });
  await expect.poll(isGuarded).toBe(false);
  expect(document.activeElement).toBe(save);
});

it('leaving with something typed asks, and after saving it no longer does', async () => {
  const { router, address } = await show();
  const asks = (): boolean => openedDialog.get() !== undefined;
  type(address, 'ada@example.org');
  expect(isGuarded()).toBe(true);
  void router.navigate({ to: '/log' });
  await expect.poll(asks).toBe(true);
  act(() => openedDialog.get()?.answer(false));
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await expect.poll(isGuarded).toBe(false);
  await act(() => router.navigate({ to: '/log' }));
  expect(asks()).toBe(false);
  expect(router.state.location.pathname).toBe('/log');
});
