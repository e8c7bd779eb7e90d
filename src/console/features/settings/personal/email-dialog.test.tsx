// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { loadTexts } from '../../../lib/text/i18n.ts';
import { refreshSiteStatus } from '../../../lib/server/site-status.ts';
import { toasts } from '../../../lib/toasts.ts';
import zh from '../../../locales/zh/enter.json' with { type: 'json' };
import EmailDialog from './email-dialog.tsx';

afterEach(async () => {
  cleanup();
  toasts.set([]);
  // Files that come after this one share its status.
  answer({ ...site, turnstile_check: false });
  await refreshSiteStatus();
  vi.unstubAllGlobals();
  localStorage.clear();
  vi.restoreAllMocks();
});

const answer = (data: unknown): void => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ success: true, message: '', data })),
  );
};

const site = { turnstile_site_key: 'site', system_name: '', quota_per_unit: 1, chats: [] };

let isRefusing = false;

/** Cloudflare's script: its widget answers at once, or fails again and again. */
const widget = {
  render: (_: HTMLElement, calls: Readonly<Record<string, (answer?: string) => void>>) => {
    if (isRefusing) for (let tries = 0; tries < 3; tries += 1) calls['error-callback']?.();
    else calls['callback']?.('human');
    return 'widget';
  },
  reset: () => undefined,
  remove: () => undefined,
};

const show = async (): Promise<void> => {
  answer({ ...site, turnstile_check: true });
  await Promise.all([refreshSiteStatus(), loadTexts('personal'), loadTexts('enter')]);
  answer(null);
  vi.stubGlobal('turnstile', widget);
  // No script is loaded here.
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    queueMicrotask(() => (script as HTMLElement).dispatchEvent(new Event('load')));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EmailDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
};

it('the request for a code contains the answer of the human check, if the site has one', async () => {
  await show();
  const [address] = screen.getAllByRole('textbox');
  if (address === undefined) throw new Error('there is no field');
  fireEvent.change(address, { target: { value: 'ada@example.com' } });
  await expect
    .poll(() => {
      fireEvent.click(screen.getByRole('button', { name: '获取验证码' }));
      return vi.mocked(fetch).mock.calls.map(([asked]) => asked);
    })
    .toEqual(['/api/verification?email=ada%40example.com&turnstile=human']);
});

it('a human check that fails says so, once for all that Cloudflare tries by itself', async () => {
  isRefusing = true;
  await show();
  const said = () => toasts.get().filter(({ text }) => text === zh.human.failed);
  await expect.poll(() => said().map(({ count }) => count)).toEqual([1]);
});
