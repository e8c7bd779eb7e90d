// @vitest-environment happy-dom
import { act, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refreshSiteStatus, siteStatus } from '../../lib/server/site-status.ts';
import { Logo } from './logo.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const setLogo = async (logo: string): Promise<void> => {
  const data = { ...siteStatus(), logo };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
  await act(() => refreshSiteStatus());
};
const picture = (): string | null | undefined => document.querySelector('.mark')?.getAttribute('src');

it('a logo that cannot be loaded is ours instead, until the site has another', async () => {
  await setLogo('https://gone.example/logo.png');
  render(<Logo />);
  expect(picture()).toBe('https://gone.example/logo.png');
  fireEvent.error(document.querySelector('.mark')!);
  expect(picture()).toBeNull();
  await setLogo('/logo.png');
  expect(picture()).toBe('/logo.png');
  await setLogo('');
  expect(picture()).toBeNull();
});
