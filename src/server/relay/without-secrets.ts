import { AppError } from '#core/error.ts';
import type { Secrets } from '#core/secrets.ts';

/**
 * An error as it may be shown and kept: an upstream's words, or a provider's about them, may hold a key, or tell where the
 * operator buys.
 */
export const withoutSecrets = (error: AppError, secrets: Secrets): AppError => {
  const { code, message, cause, param, retryAfterSeconds, reason, upstream, values } = error;
  const told = { message, param, reason, upstream };
  const before = JSON.stringify(told);
  const clean = withoutHosts(secrets.maskText(before), secrets.hosts);
  if (clean === before) return error;
  const masked = JSON.parse(clean) as typeof told;
  return new AppError(code, masked.message, {
    cause,
    values,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(masked.param !== undefined && { param: masked.param }),
    ...(masked.reason !== undefined && { reason: masked.reason }),
    ...(masked.upstream !== undefined && { upstream: masked.upstream }),
  });
};

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]}\\]+/gi;

/** No address at one of these hosts, nor beside it: `api.reseller.example` and `www.reseller.example` are one house. */
const withoutHosts = (text: string, hosts: readonly string[]): string =>
  hosts.reduce((clean, host) => {
    const name = houseOf(host);
    if (name.length < LEAST_NAME || !clean.toLowerCase().includes(name)) return clean;
    const shown = clean.replace(ADDRESS, (address) => (isOf(address, name) ? '[address]' : address));
    return shown.replaceAll(
      new RegExp(`(?<![\\w-])(?:[\\w-]+\\.)*${RegExp.escape(name)}(?![\\w-])(?::\\d+)?`, 'gi'),
      '[address]',
    );
  }, text);

const LEAST_NAME = 4;

/** The end of a name that one owner has, near enough: `reseller.example`, `reseller.com.example`. */
const houseOf = (host: string): string => {
  const labels = host.toLowerCase().split('.');
  if (labels.every((label) => /^\d+$/.test(label))) return host;
  const isShort = (labels.at(-2)?.length ?? 0) <= 3 && labels.length > 2;
  return labels.slice(isShort ? -3 : -2).join('.');
};

const isOf = (address: string, name: string): boolean => {
  const host = /^[^:]+:\/\/(?:[^@/]*@)?([^/?#:]+)/.exec(address)?.[1]?.toLowerCase() ?? '';
  return host === name || host.endsWith(`.${name}`);
};
