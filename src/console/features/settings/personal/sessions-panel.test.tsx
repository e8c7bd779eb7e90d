// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../../lib/server/query.ts';
import { refreshSiteStatus } from '../../../lib/server/site-status.ts';
import { endSession, startSession } from '../../../lib/session/session.ts';
import { PasskeysPanel } from './passkeys-panel.tsx';
import PasswordDialog from './password-dialog.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SELF, type Self } from './use-self.ts';

const answer = (data: unknown, status = 200): void => {
  const body = { success: status === 200, message: status === 200 ? '' : 'the database is busy', data };
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
};

beforeEach(() =>
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' }),
);
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const show = (page: ReactNode) =>
  render(<QueryClientProvider client={queryClient}>{page}</QueryClientProvider>);

it('sessions and passkeys that cannot be read are no empty list: it says why, and can be tried again', async () => {
  answer({ passkey_login: true, system_name: '', quota_per_unit: 1, chats: [] });
  await refreshSiteStatus();
  for (const panel of [<SessionsPanel key="sessions" />, <PasskeysPanel key="passkeys" />]) {
    answer(null, 500);
    show(panel);
    expect((await screen.findByRole('alert')).textContent).toContain('The database is busy');
    expect(screen.queryByText('passkeys.none')).toBeNull();
    answer([]);
    fireEvent.click(screen.getByRole('button', { name: 'action.retry' }));
    await expect.poll(() => screen.queryByRole('alert')).toBeNull();
    cleanup();
    queryClient.clear();
  }
});

it('once a first password is set, the next one is asked for with it', async () => {
  const self = { username: 'ada', has_password: false } as Self;
  queryClient.setQueryData([SELF], self);
  answer(null);
  show(<PasswordDialog self={self} onClose={() => undefined} />);
  for (const label of ['password.new', 'password.again'])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'long enough' } });
  fireEvent.click(screen.getByRole('button', { name: 'password.submit' }));
  await expect.poll(() => queryClient.getQueryState([SELF])?.isInvalidated).toBe(true);
});
