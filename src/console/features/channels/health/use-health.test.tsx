// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useHealth } from './use-health.ts';

const HOUR_S = 3600;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('rows that appear while one scrolls are asked for alone, and all that are seen once a minute', async () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  const asked: string[] = [];
  const counts = new Map([[1, 5]]);
  vi.stubGlobal('fetch', async (url: string) => {
    const ids = new URL(url, 'http://localhost').searchParams.get('ids') ?? '';
    asked.push(ids);
    const hour = Math.floor(Date.now() / 1000 / HOUR_S) * HOUR_S;
    const data = ids.split(',').flatMap((id) => {
      const count = counts.get(Number(id));
      return count === undefined ? [] : [{ channel_id: Number(id), created_at: hour, count, failed: 0 }];
    });
    return Response.json({ success: true, message: '', data });
  });
  const [one, two] = [renderHook(() => useHealth(1)), renderHook(() => useHealth(2))];
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['1,2']);
  const ofOne = one.result.current;
  expect(ofOne).toBeDefined();

  counts.set(3, 7);
  const three = renderHook(() => useHealth(3));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['1,2', '3']);
  expect(one.result.current).toBe(ofOne);
  expect(three.result.current).toBeDefined();

  two.unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['1,2', '3', '1,3']);
  one.unmount();
  three.unmount();
});
