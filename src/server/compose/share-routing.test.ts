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

test('the node that makes a change rebuilds its routing once, before the change is answered', async () => {
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

test('changes of other nodes are rebuilt here, except for what is in no snapshot', async () => {
  const refresh = vi.fn<() => Promise<void>>(() => Promise.resolve());
  shareRouting({ feed, refresh, refreshOthers, log });
  for (const kind of ['options', 'channels', 'users', 'tokens'] as const) await feed.announce(kind);
  expect([refresh.mock.calls.length, refreshOthers.mock.calls.length]).toEqual([2, 2]);
});

test('a change that cannot be read is an error for its author; one of another node is logged', async () => {
  const refresh = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no database')));
  const announce = shareRouting({ feed, refresh, refreshOthers, log });
  await expect(announce()).rejects.toThrow('no database');
  await feed.announce('options');
  await expect.poll(() => log.error.mock.calls.length).toBe(2);
});
