import { type OutboundProxy, parseProxy, PROXY_PASSWORD } from '#core/outbound/outbound-proxy.ts';
import { proxyPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { type Fields, parsedFields } from '#core/json/fields.ts';
import { openedOrRefused } from '../open-sealed.ts';
import { refuse, whyOf } from '../refuse.ts';

/** The outbound guard's check of an address before anything is sent to it; throws what is wrong. */
export type CheckUrl = (url: string) => unknown;

/** Shown in place of a saved password; if it is sent back, the saved one stays. */
const MASK = '******';

const settingFields = (setting: string): Fields => parsedFields(setting) ?? {};

export interface ProxyDeps {
  readonly vault: Pick<Vault, 'encrypt'>;
  readonly checkUrl: CheckUrl;
}

/**
 * A channel's `setting` as stored, with the proxy's password encrypted. `before` is the stored setting, whose password
 * stays if it comes back masked. Throws what is wrong with the proxy.
 */
export const sealedSetting = (deps: ProxyDeps, setting: string, before = ''): string => {
  const { [PROXY_PASSWORD]: _, proxy: given, ...rest } = settingFields(setting);
  if (given === undefined || given === '' || given === null) {
    return Object.keys(settingFields(setting)).length === Object.keys(rest).length ? setting : textOf(rest);
  }
  const proxy = readProxy(typeof given === 'string' ? given : '', deps.checkUrl);
  return textOf({ ...rest, proxy: proxy.address, ...sealedPassword(deps, proxy, settingFields(before)) });
};

const textOf = (fields: Fields): string => (Object.keys(fields).length === 0 ? '' : JSON.stringify(fields));

/** Parses a proxy as typed. Throws what is wrong, including addresses the outbound guard refuses. */
const readProxy = (text: string, checkUrl: CheckUrl): OutboundProxy => {
  const proxy = parseProxy(text);
  if (proxy === undefined) throw refuse('channel_proxy_bad');
  const { host, port } = proxy;
  try {
    checkUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  } catch (error) {
    throw refuse('channel_proxy_address', { issue: whyOf(error) });
  }
  return proxy;
};

const savedProxy = ({ proxy }: Fields): OutboundProxy | undefined =>
  typeof proxy === 'string' ? parseProxy(proxy) : undefined;

const sealedPassword = ({ vault }: ProxyDeps, proxy: OutboundProxy, before: Fields): Fields => {
  const password = proxy.password.reveal();
  if (password === '') return {};
  const sealed = (plain: string): Fields => ({
    [PROXY_PASSWORD]: vault.encrypt(plain, proxyPlace(proxy.address)),
  });
  if (password !== MASK) return sealed(password);
  const saved = savedProxy(before);
  if (saved?.address !== proxy.address)
    throw refuse('channel_proxy_password', { proxy: saved?.address ?? '' });
  const kept = before[PROXY_PASSWORD];
  return typeof kept === 'string' ? { [PROXY_PASSWORD]: kept } : sealed(saved.password.reveal());
};

/**
 * A proxy as typed for one key, with its password encrypted; `before` has the stored one, which stays if it comes back
 * masked.
 */
export const sealedProxy = (deps: ProxyDeps, text: string, before: SealedProxy): SealedProxy => {
  if (text === '') return { proxy: '', proxyPassword: '' };
  const proxy = readProxy(text, deps.checkUrl);
  const saved = { proxy: before.proxy, [PROXY_PASSWORD]: before.proxyPassword };
  const { [PROXY_PASSWORD]: sealed = '' } = sealedPassword(deps, proxy, saved);
  return { proxy: proxy.address, proxyPassword: String(sealed) };
};

/** A proxy as stored, with its password encrypted. */
export interface SealedProxy {
  /** Its address; empty for none. */
  readonly proxy: string;
  readonly proxyPassword: string;
}

/** A stored proxy for admins: its password is masked. */
export const shownProxy = ({ proxy, proxyPassword }: SealedProxy): string =>
  proxyPassword === '' ? proxy : proxy.replace(/@(?=[^@]*$)/, `:${MASK}@`);

/** A typed proxy for a channel without a stored password. */
export const typedProxy = (text: string, checkUrl: CheckUrl): OutboundProxy => {
  const proxy = readProxy(text, checkUrl);
  if (proxy.password.reveal() === MASK) throw refuse('channel_proxy_password', { proxy: proxy.address });
  return proxy;
};

/** A stored `setting` for admins: the proxy's password is masked. */
export const shownSetting = (setting: string): string => {
  const { [PROXY_PASSWORD]: sealed, ...fields } = settingFields(setting);
  const proxy = savedProxy(fields);
  // Another program may have written the password unencrypted.
  if (proxy === undefined || (sealed === undefined && proxy.password.reveal() === '')) return setting;
  return textOf({ ...fields, proxy: proxy.address.replace(/@(?=[^@]*$)/, `:${MASK}@`) });
};

/** The address of a stored `setting`'s proxy, without its password; empty if there is none. */
export const proxyOf = (setting: string): string => savedProxy(settingFields(setting))?.address ?? '';

/** Decrypts the password of a channel's proxy. Throws in words if it was damaged, or encrypted for another proxy. */
export const proxyPasswordOpener =
  (vault: Pick<Vault, 'decrypt'>) =>
  (sealed: string, proxyAddress: string): string =>
    openedOrRefused({ vault }, { sealed, place: proxyPlace(proxyAddress) }, 'channel_proxy_damaged', {
      proxy: proxyAddress,
    });
