// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshSiteStatus, siteStatus } from '../../lib/server/site-status.ts';
import { Footer } from './footer.tsx';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = (): string => document.querySelector('.footer')?.textContent ?? '';

it("shows the site's name if there is no footer", async () => {
  const data = { ...siteStatus(), system_name: 'Gate', quota_per_unit: 500_000, footer_html: '' };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
  await refreshSiteStatus();
  render(<Footer />);
  expect(screen.getByText(/^Gate/)).toBeDefined();
});

it('reads the stored footer every 200 ms, five times', async () => {
  localStorage.setItem('footer_html', 'foot 0');
  render(<Footer />);
  await import('./custom-footer.tsx');
  await pass(0);
  expect(shown()).toBe('foot 0');
  for (const count of [1, 2, 3, 4, 5]) {
    localStorage.setItem('footer_html', `foot ${count}`);
    await pass(199);
    expect(shown()).toBe(`foot ${count - 1}`);
    await pass(1);
    expect(shown()).toBe(`foot ${count}`);
  }
  localStorage.setItem('footer_html', 'foot 6');
  await pass(10_000);
  expect(shown()).toBe('foot 5');
});
