// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast, toasts } from './toasts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const texts = (): string[] => toasts.get().map((one) => `${one.text}×${one.count}`);

it('counts the same toast instead of showing it again', () => {
  toast('bad', 'no');
  toast('bad', 'no');
  toast('ok', 'no');
  expect(texts()).toEqual(['no×2', 'no×1']);
});

it('shows at most three, the newest', () => {
  for (const text of ['a', 'b', 'c', 'd']) toast('info', text);
  expect(texts()).toEqual(['b×1', 'c×1', 'd×1']);
});

it('removes notices after three seconds, those with an action after eight, and keeps errors until closed', () => {
  toast('ok', 'saved');
  toast('ok', 'deleted', { label: 'Undo', run: () => undefined });
  toast('bad', 'failed');
  vi.advanceTimersByTime(3000);
  expect(texts()).toEqual(['deleted×1', 'failed×1']);
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual(['failed×1']);
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['failed×1']);
});

it('keeps a notice while the pointer or focus is on it, and removes it afterwards', () => {
  document.body.innerHTML = '<div class="toaster"><button>Close</button></div>';
  const close = document.querySelector('button');
  toast('ok', 'saved');
  close?.focus();
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['saved×1']);
  close?.blur();
  vi.advanceTimersByTime(500);
  expect(texts()).toEqual([]);
});
