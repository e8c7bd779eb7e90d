import { beforeEach, expect, test, vi } from 'vitest';
import type { ChangeKind } from '../store/database/change-feed.ts';
import { shareRouting } from './share-routing.ts';

const listeners: ((kind: ChangeKind) => void)[] = [];
const feed = {
  watch: (listener: (kind: ChangeKind) => void) => {
    listeners.push(listener);
    return () => undefined;
  },
  announce: async (kind: ChangeKind) => listeners.forEach((listener) => listener(kind)),
};
const log = { error: vi.fn<(message: string) => void>() };
const refreshOthers = vi.fn<() => Promise<void>>(() => Promise.resolve());

beforeEach(() => {
  listeners.length = 0;
  vi.clearAllMocks();
});

test('a change is rebuilt once by the node that makes it, and is there once it is told so', async () => {
  let finish: () => void = () => undefined;
  const refresh = vi.fn<() => Promise<void>>(() => new Promise<void>((resolve) => (finish = resolve)));
  const announce = shareRouting({ feed, refresh, refreshOthers, log });
  let isTold = false;
  const told = announce().then(() => (isTold = true));
  await Promise.resolve();
  expect([refresh.mock.calls.length, refreshOthers.mock.calls.length, isTold]).toEqual([1, 1, false]);
  finish();
  await told;
});

test('what others change is rebuilt here, but for what no snapshot has', async () => {
  const refresh = vi.fn<() => Promise<void>>(() => Promise.resolve());
  shareRouting({ feed, refresh, refreshOthers, log });
  for (const kind of ['options', 'channels', 'users', 'tokens'] as const) await feed.announce(kind);
  expect([refresh.mock.calls.length, refreshOthers.mock.calls.length]).toEqual([2, 2]);
});

test('who makes a change hears that it could not be read; what others made is logged', async () => {
  const refresh = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no database')));
  const announce = shareRouting({ feed, refresh, refreshOthers, log });
  await expect(announce()).rejects.toThrow('no database');
  await feed.announce('options');
  await expect.poll(() => log.error.mock.calls.length).toBe(2);
});
