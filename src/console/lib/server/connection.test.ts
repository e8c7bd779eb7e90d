// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteAnswer, noteSilence, onReturn, tryNow, watchNetwork } from './connection.ts';

let isOnline = true;
const returned = vi.fn<() => void>();
const asked = async (): Promise<Response> => {
  if (!isOnline) throw new TypeError('Failed to fetch');
  return new Response('{}');
};
onReturn(returned);

/** The browser says so as well, and all timers that are due by then run. */
const network = async (is: 'online' | 'offline'): Promise<void> => {
  isOnline = is === 'online';
  dispatchEvent(new Event(is));
  await vi.advanceTimersByTimeAsync(0);
};

watchNetwork();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', asked);
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  returned.mockClear();
});
afterEach(async () => {
  await network('online');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('a late answer to a call from before the network was lost is no return: that is told when it is back', async () => {
  await network('offline');
  noteAnswer();
  await vi.advanceTimersByTimeAsync(0);
  expect(returned).not.toHaveBeenCalled();
  await network('online');
  expect(returned).toHaveBeenCalledTimes(1);
});

it('a server on this machine that answers without a network is there', async () => {
  isOnline = false;
  noteSilence();
  vi.stubGlobal('fetch', async () => new Response('{}'));
  noteAnswer();
  await vi.advanceTimersByTimeAsync(0);
  expect(returned).toHaveBeenCalledTimes(1);
});

it('a server that was down is asked until it answers', async () => {
  let tries = 0;
  vi.stubGlobal('fetch', async () => {
    tries += 1;
    return new Response('', { status: 502 });
  });
  noteSilence();
  tryNow();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tries).toBeGreaterThan(3);
  expect(returned).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', asked);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(returned).toHaveBeenCalledTimes(1);
});
