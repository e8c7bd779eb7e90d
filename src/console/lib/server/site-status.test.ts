// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  loadSiteStatus,
  mayRegister,
  refreshSiteStatus,
  type SiteStatus,
  siteStatus,
} from './site-status.ts';

/** The fields of a status that these tests read. */
const given: Partial<SiteStatus> = {
  system_name: 'Gate',
  logo: 'https://gate.example/logo.png',
  footer_html: '<b>foot</b>',
  quota_per_unit: 500_000,
  display_in_currency: true,
  enable_data_export: true,
  enable_drawing: false,
  enable_task: true,
  availability_enabled: false,
  default_collapse_sidebar: true,
  data_export_default_time: 'day',
  mj_notify_enabled: false,
  chat_link: 'https://chat.example',
  chat_link2: '',
  chats: [{ Chat: 'https://chat.example/{key}' }],
  pay_methods: [{ name: 'Cash', type: 'cash', color: '' }],
  setup: true,
  register_enabled: true,
  self_use_mode_enabled: false,
};
const status = given as SiteStatus;

const answer = (data: unknown): void => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ success: true, message: '', data })),
  );
};

// Files of tests share a window where they share a worker.
beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
  localStorage.clear();
});

it('stores every flag that scripts look for under its name', async () => {
  answer(status);
  await refreshSiteStatus();
  const kept = Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]));
  expect(kept).toEqual({
    status: JSON.stringify(status),
    system_name: 'Gate',
    logo: 'https://gate.example/logo.png',
    footer_html: '<b>foot</b>',
    quota_per_unit: '500000',
    display_in_currency: 'true',
    enable_data_export: 'true',
    enable_drawing: 'false',
    enable_task: 'true',
    default_collapse_sidebar: 'true',
    data_export_default_time: 'day',
    mj_notify_enabled: 'false',
    chat_link: 'https://chat.example',
    chats: '[{"Chat":"https://chat.example/{key}"}]',
    pay_methods: '[{"name":"Cash","type":"cash","color":""}]',
  });
});

it('is read from the page if it is embedded there, without a call', async () => {
  answer({ ...status, system_name: 'asked' });
  document.body.innerHTML = `<script id="site-status" type="application/json">${JSON.stringify(status)}</script>`;
  await loadSiteStatus();
  expect([siteStatus()?.system_name, vi.mocked(fetch).mock.calls.length]).toEqual(['Gate', 0]);
});

it('is the last known one while the server does not answer, and the failure is shown', async () => {
  localStorage.setItem('status', JSON.stringify({ ...status, system_name: 'known' }));
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.reject(new TypeError('no network'))),
  );
  await expect(loadSiteStatus()).rejects.toThrow('error.unreachable');
  expect(siteStatus()?.system_name).toBe('known');
});

it('offers no registration in self-use mode, if it is closed, and before the first account', () => {
  expect(mayRegister(status)).toBe(true);
  for (const change of [{ self_use_mode_enabled: true }, { register_enabled: false }, { setup: false }])
    expect(mayRegister({ ...status, ...change })).toBe(false);
  expect(mayRegister(undefined)).toBe(false);
});
