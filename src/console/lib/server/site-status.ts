import { readStatus } from '#contract/api/site/setup.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from './api.ts';
import { signal, useSignal } from '../browser/signal.ts';
import { readStoredJson, store } from '../browser/stored.ts';

/** The server's public status: name, switches, units. */
export type SiteStatus = Data<typeof readStatus>;

const STATUS_KEY = 'status';

const embedded = (): unknown => {
  const text = document.getElementById('site-status')?.textContent ?? '';
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isStatus = (value: unknown): value is SiteStatus =>
  typeof value === 'object' && value !== null && 'system_name' in value && 'quota_per_unit' in value;

const known = signal<SiteStatus | undefined>(undefined);

/** Single flags that scripts and older pages read. Source: specification, local-storage flags. */
const storeFlags = (status: SiteStatus): void => {
  store(STATUS_KEY, JSON.stringify(status));
  store('enable_data_export', String(status.enable_data_export));
  store('enable_drawing', String(status.enable_drawing));
  store('enable_task', String(status.enable_task));
  store('default_collapse_sidebar', String(status.default_collapse_sidebar));
  store('data_export_default_time', status.data_export_default_time);
  store('mj_notify_enabled', String(status.mj_notify_enabled));
  store('quota_per_unit', String(status.quota_per_unit));
  store('display_in_currency', String(status.display_in_currency));
  store('system_name', status.system_name);
  store('logo', status.logo);
  // An unset link has no entry, because older pages only check for its presence.
  store('chat_link', status.chat_link || undefined);
  store('chat_link2', status.chat_link2 || undefined);
  store('chats', JSON.stringify(status.chats));
  store('pay_methods', JSON.stringify(status.pay_methods));
  store('footer_html', status.footer_html);
};

const adopt = (status: SiteStatus): void => {
  storeFlags(status);
  known.set(status);
};

/** Reads the status from the page. If the page has none, asks the server and uses the last known one meanwhile. */
export const loadSiteStatus = async (): Promise<void> => {
  const fromPage = embedded();
  if (isStatus(fromPage)) return adopt(fromPage);
  const stored = readStoredJson(STATUS_KEY);
  if (isStatus(stored)) known.set(stored);
  adopt(await call(readStatus));
};

/** Reloads the status, after setup and after a change of an option that visitors see. */
export const refreshSiteStatus = async (): Promise<void> => adopt(await call(readStatus));

/** The status of the site; undefined until it is loaded. Components use `useSiteStatus`. */
export const siteStatus = (): SiteStatus | undefined => known.get();
/** The status of the site; renders again when that changes. */
export const useSiteStatus = (): SiteStatus | undefined => useSignal(known);

/** Whether to offer registration: not in self-use mode, and not before the first account exists. */
export const mayRegister = (status: SiteStatus | undefined): boolean =>
  status !== undefined && status.setup && status.register_enabled && !status.self_use_mode_enabled;
