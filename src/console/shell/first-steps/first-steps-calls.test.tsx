// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/server/query.ts';
import { useFirstSteps } from './first-steps-calls.ts';

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

it('models of a new channel do not count as priced before the answer', async () => {
  let channels = 0;
  let unpriced = Promise.resolve<readonly string[]>([]);
  vi.stubGlobal('fetch', async (url: string) => {
    const data = async (): Promise<unknown> => {
      if (url.startsWith('/api/channel')) return { items: [], total: channels, page: 1, page_size: 1 };
      if (url.startsWith('/api/token')) return { items: [], total: 0, page: 1, page_size: 1 };
      if (url.startsWith('/api/user/self')) return { request_count: 0 };
      return unpriced;
    };
    return Response.json({ success: true, message: '', data: await data() });
  });
  const { result } = renderHook(() => useFirstSteps(true));
  const done = () => result.current?.steps.flatMap(({ step, isDone }) => (isDone ? [step] : []));
  await expect.poll(done).toEqual([]);

  let answer: (names: readonly string[]) => void = () => undefined;
  unpriced = new Promise((resolve) => {
    answer = resolve;
  });
  channels = 1;
  await queryClient.invalidateQueries({ queryKey: ['channels'] });
  await expect.poll(done).toEqual(['channel']);
  answer(['my-house-model']);
  await expect.poll(() => result.current?.unpriced).toEqual(['my-house-model']);
  expect(done()).toEqual(['channel']);

  unpriced = Promise.resolve([]);
  await queryClient.invalidateQueries({ queryKey: ['model-prices'] });
  await expect.poll(done).toEqual(['channel', 'price']);
});

it('an account without a balance gets the step to top up before its first call', async () => {
  let quota = 0;
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json({
      success: true,
      message: '',
      data: url.startsWith('/api/user/self')
        ? { request_count: 0, quota }
        : { items: [], total: 1, page: 1, page_size: 1 },
    }),
  );
  const { result } = renderHook(() => useFirstSteps(false));
  const left = () => result.current?.steps.flatMap(({ step, isDone }) => (isDone ? [] : [step]));
  await expect.poll(left).toEqual(['quota', 'call']);
  quota = 500_000;
  await queryClient.invalidateQueries({ queryKey: ['self'] });
  await expect.poll(left).toEqual(['call']);
});

it('a program is connected when a token was used, not when a channel was tested or the playground answered', async () => {
  let accessed = 1000;
  vi.stubGlobal('fetch', async (url: string) => {
    const items = [{ used_quota: 0, created_time: 1000, accessed_time: accessed }];
    const data = url.startsWith('/api/user/self') ? { request_count: 3, quota: 1 } : { items, total: 1 };
    return Response.json({ success: true, message: '', data });
  });
  const { result } = renderHook(() => useFirstSteps(false));
  const left = () => result.current?.steps.flatMap(({ step, isDone }) => (isDone ? [] : [step]));
  await expect.poll(left).toEqual(['call']);
  accessed = 1001;
  await queryClient.invalidateQueries({ queryKey: ['tokens'] });
  await expect.poll(left).toEqual([]);
});

it('only what shows that the next step is done is asked for again, while the page is seen', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.split('?')[0] ?? '');
    const items = [{ used_quota: 0, created_time: 1000, accessed_time: 1000 }];
    const data = url.startsWith('/api/user/self')
      ? { request_count: 0 }
      : url.startsWith('/api/pricing')
        ? []
        : { items, total: 1 };
    return Response.json({ success: true, message: '', data });
  });
  const { result, unmount } = renderHook(() => useFirstSteps(true));
  await expect.poll(() => result.current?.steps.filter(({ isDone }) => !isDone)).toHaveLength(1);
  const later = async (times: number): Promise<readonly string[]> => {
    asked.length = 0;
    await act(() => vi.advanceTimersByTimeAsync(5000 * times));
    return asked;
  };
  expect((await later(2)).toSorted()).toEqual([
    '/api/token',
    '/api/token',
    '/api/user/self',
    '/api/user/self',
  ]);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  expect(await later(3)).toEqual([]);
  unmount();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
