import { parsed } from '#contract/text.ts';
import { type OutboundProxy, parseProxy, PROXY_PASSWORD } from '#core/outbound-proxy.ts';
import type { Vault } from '#core/vault.ts';
import type { CheckUrl } from './channel-rules.ts';
import { refuse, whyOf } from './refuse.ts';

/** What stands where a saved password is: sent back unchanged, it stays the saved one. */
const MASK = '******';

type Fields = Record<string, unknown>;

const fieldsOf = (setting: string): Fields => {
  const read = parsed(setting);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Fields) : {};
};

/** Bound to the proxy it was entered for: moved to another it does not open. */
const placeOf = (proxyAddress: string): string => `proxy:${proxyAddress}`;

export interface ProxyDeps {
  readonly vault: Pick<Vault, 'encrypt'>;
  readonly checkUrl: CheckUrl;
}

/**
 * A channel's `setting` as it is stored: the password of its proxy sealed. `before` is what is stored now, whose password
 * stays where it comes back masked. Throws what is wrong with the proxy.
 */
export const sealedSetting = (deps: ProxyDeps, setting: string, before = ''): string => {
  const { [PROXY_PASSWORD]: _, proxy: given, ...rest } = fieldsOf(setting);
  if (given === undefined || given === '' || given === null) {
    return Object.keys(fieldsOf(setting)).length === Object.keys(rest).length ? setting : textOf(rest);
  }
  const proxy = readProxy(typeof given === 'string' ? given : '', deps.checkUrl);
  return textOf({ ...rest, proxy: proxy.address, ...sealedPassword(deps, proxy, fieldsOf(before)) });
};

const textOf = (fields: Fields): string => (Object.keys(fields).length === 0 ? '' : JSON.stringify(fields));

/** A proxy as it was typed. What the outbound guard refuses as an upstream, it refuses here. Throws what is wrong. */
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
    [PROXY_PASSWORD]: vault.encrypt(plain, placeOf(proxy.address)),
  });
  if (password !== MASK) return sealed(password);
  const saved = savedProxy(before);
  if (saved?.address !== proxy.address)
    throw refuse('channel_proxy_password', { proxy: saved?.address ?? '' });
  const kept = before[PROXY_PASSWORD];
  return typeof kept === 'string' ? { [PROXY_PASSWORD]: kept } : sealed(saved.password.reveal());
};

/** The same where no password is saved that a masked one could stand for. */
export const typedProxy = (text: string, checkUrl: CheckUrl): OutboundProxy => {
  const proxy = readProxy(text, checkUrl);
  if (proxy.password.reveal() === MASK) throw refuse('channel_proxy_password', { proxy: proxy.address });
  return proxy;
};

/** A stored `setting` as admins see it: of the proxy's password only that there is one. */
export const shownSetting = (setting: string): string => {
  const { [PROXY_PASSWORD]: sealed, ...fields } = fieldsOf(setting);
  const proxy = savedProxy(fields);
  // What another program has written there may hold it in the open.
  if (proxy === undefined || (sealed === undefined && proxy.password.reveal() === '')) return setting;
  return textOf({ ...fields, proxy: proxy.address.replace(/@(?=[^@]*$)/, `:${MASK}@`) });
};

/** The address of a stored `setting`'s proxy, without its password; empty where there is none. */
export const proxyOf = (setting: string): string => savedProxy(fieldsOf(setting))?.address ?? '';

/** Opens the password of a channel's proxy. Throws where it was sealed for another. */
export const proxyPasswordOpener =
  (vault: Pick<Vault, 'decrypt'>) =>
  (sealed: string, proxyAddress: string): string =>
    vault.decrypt(sealed, placeOf(proxyAddress));
