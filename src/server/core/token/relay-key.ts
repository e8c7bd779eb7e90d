import { AppError } from '../error.ts';

/** A relay key as a caller sends it. */
export interface RelayKey {
  readonly key: string;
  /** `sk-KEY-12`: the channel an administrator chose. NaN if the suffix is not a number. */
  readonly channelId: number | undefined;
}

const KEY_MAX_LENGTH = 256;
/** Node trims the header, so a bare `Bearer` has no space after it. */
const BEARER = /^bearer(?: +|$)/i;

/** The same message for every key, so that nobody learns which exist. */
export const invalidKey = (more = ''): AppError =>
  new AppError('unauthenticated', `invalid or expired token${more}`, { reason: 'invalid_api_key' });
/**
 * For a request without a key, mostly because the program's variable is not set. Its user would otherwise look for a
 * new key.
 */
const noKey = (): AppError => invalidKey(': no key was sent');

/** Parses `Bearer sk-KEY-12`: `Bearer`, `sk-` and the channel are optional. Throws `invalidKey` if there is no key. */
export const parseRelayKey = (sent: string | undefined): RelayKey => {
  if (sent === undefined) throw noKey();
  if (sent.length > KEY_MAX_LENGTH) throw invalidKey();
  let text = (sent.startsWith('Bearer sk-') ? sent.slice('Bearer '.length) : sent.replace(BEARER, '')).trim();
  if (text.startsWith('sk-')) text = text.slice(3);
  if (text === '') throw noKey();
  const dash = text.indexOf('-');
  const key = dash === -1 ? text : text.slice(0, dash);
  if (key === '') throw invalidKey();
  if (dash === -1) return { key, channelId: undefined };
  const channel = text.slice(dash + 1);
  return { key, channelId: /^\d{1,15}$/.test(channel) ? Number(channel) : NaN };
};

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The key of a request: `Authorization`, else `x-api-key`, else `x-goog-api-key`, else `?key=`. */
export const sentKey = (headers: Headers, queryKey: string | undefined): string | undefined =>
  one(headers['authorization']) ?? one(headers['x-api-key']) ?? one(headers['x-goog-api-key']) ?? queryKey;
