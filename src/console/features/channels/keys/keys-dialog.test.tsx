// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../lib/server/query.ts';
import { endSession, startSession } from '../../../lib/session/session.ts';
import type { Channel } from '../channel.ts';
import { CHANNEL_KEYS, KEYS_ON_A_PAGE } from './key-calls.ts';
import KeysDialog from './keys-dialog.tsx';

let total = KEYS_ON_A_PAGE + 1;

const keyOf = (id: number) => ({
  id,
  label: `key ${id}`,
  tail: '',
  proxy: '',
  status: 'enabled',
  reason: '',
  test_time: 0,
});

beforeEach(() => {
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 100, status: 1, group: 'default' });
  vi.stubGlobal('fetch', async (address: string) => {
    const { searchParams } = new URL(address, 'http://here');
    const page = Number(searchParams.get('p'));
    // One key of each page is enough to tell them apart.
    const first = (page - 1) * KEYS_ON_A_PAGE + 1;
    const items = first <= total ? [keyOf(first)] : [];
    const counts = { enabled: total, cooling: 0, spent: 0, revoked: 0, off: 0 };
    const data = searchParams.has('p') ? { items, total, counts, mode: 'in_turn' } : null;
    return Response.json({ success: true, message: '', data });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

test('when the last keys of a page are deleted, the page before it is shown, not an empty one', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <KeysDialog channel={{ id: 3, name: 'main' } as Channel} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByText('next'));
  expect(await screen.findByText(`key ${KEYS_ON_A_PAGE + 1}`)).toBeDefined();
  total = KEYS_ON_A_PAGE;
  await queryClient.invalidateQueries({ queryKey: [CHANNEL_KEYS] });
  expect(await screen.findByText('key 1')).toBeDefined();
  await expect.poll(() => screen.queryByText('next')).toBeNull();
});
