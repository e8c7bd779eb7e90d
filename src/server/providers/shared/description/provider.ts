import type { RelayedTypeId } from '#contract/channel-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Delivery } from '#core/delivery.ts';
import type { Operation } from '#core/operation.ts';
import type { Offer, Upstream, UpstreamCall } from '../../../dialects/upstream.ts';
import { type ErrorPatterns, matchInside, readErrorWith } from './error-patterns.ts';
import { baseUrlOf } from './base-url.ts';

/** Where an upstream expects the channel's key; `authorize` where requests are signed or the key is exchanged for a token. */
export type KeyPlace =
  | 'bearer'
  | { readonly header: string }
  | { readonly query: string }
  | (Required<Pick<Delivery, 'authorize'>> & Pick<Delivery, 'forgetToken'>);

/** One operation and its address. */
export interface OfferedAt extends Offer {
  /** Appended to the root; or a whole address that replaces it. */
  readonly path?: string | ((call: UpstreamCall, channel: Channel) => string);
  /** Where this operation expects the key, if not where the others do. */
  readonly key?: KeyPlace;
}

type FromUpstream =
  | 'dialect'
  | 'dialectFor'
  | 'betterFor'
  | 'natives'
  | 'hasOwnEnvelope'
  | 'frames'
  | 'readModels'
  | 'models'
  | 'modelPrefix'
  | 'balance'
  | 'prices';

/** All that the server knows of a provider. What the console shows of it is its row in `contract/channel-types.ts`. */
export interface Description extends Pick<Upstream, FromUpstream> {
  /** Its channel types. */
  readonly types: readonly RelayedTypeId[];
  readonly key: KeyPlace;
  /** For providers where the place of the key depends on the key or the model; undefined: as `key` says. */
  readonly keyFor?: (channel: Channel, call: UpstreamCall) => KeyPlace | undefined;
  /** What every path is appended to. Default: the address of the channel, or of its type. */
  readonly root?: (channel: Channel, call: UpstreamCall) => string;
  /** The whole URL, where it is more than root and path. */
  readonly url?: (channel: Channel, call: UpstreamCall) => string;
  /** Further headers; lower-case names. */
  readonly headers?: (channel: Channel, call: UpstreamCall) => Readonly<Record<string, string>>;
  readonly offers: Readonly<Partial<Record<Operation, OfferedAt>>>;
  /** Which of its errors are about the key, the balance or the rate limit, from its list of error codes. */
  readonly errorPatterns?: ErrorPatterns;
}

export interface Provider extends Upstream {
  readonly types: readonly RelayedTypeId[];
}

/** Builds the upstream from its description. */
export const provider = (described: Description): Provider => {
  const { key, keyFor, root, url, headers, errorPatterns, ...rest } = described;
  const urlOf = (channel: Channel, call: UpstreamCall): string =>
    url?.(channel, call) ??
    addressed(root?.(channel, call) ?? baseUrlOf(channel), pathOf(described, channel, call));
  return {
    ...rest,
    ...(typeof key === 'object' && 'authorize' in key && key),
    ...(errorPatterns !== undefined && {
      readError: readErrorWith(errorPatterns, rest.dialect),
      readErrorInside: matchInside(errorPatterns),
    }),
    address: (channel, call) => {
      const place = rest.offers[call.operation]?.key ?? keyFor?.(channel, call) ?? key;
      return {
        url: withKey(urlOf(channel, call), place, channel),
        headers: { ...contentHeaders(call), ...keyHeader(place, channel), ...headers?.(channel, call) },
      };
    },
  };
};

/** The path that the call's offer names; undefined where it names none. */
export const ownPath = (
  { offers }: Pick<Description, 'offers'>,
  channel: Channel,
  call: UpstreamCall,
): string | undefined => {
  const path = offers[call.operation]?.path;
  return typeof path === 'function' ? path(call, channel) : path;
};

const pathOf = (described: Description, channel: Channel, call: UpstreamCall): string =>
  ownPath(described, channel, call) ?? '';

/** Appends a path to a root; a whole address is returned unchanged. */
export const addressed = (root: string, path: string): string => (/^https?:/.test(path) ? path : root + path);

const contentHeaders = (call: UpstreamCall): Record<string, string> => ({
  'content-type': 'application/json',
  accept: call.stream ? 'text/event-stream' : 'application/json',
});

/** The header that carries the key; none for channels without a key, such as Ollama and other self-hosted servers. */
export const keyHeader = (place: KeyPlace, channel: Channel): Record<string, string> => {
  const key = channel.key.reveal().trim();
  if (key === '') return {};
  if (place === 'bearer') return { authorization: `Bearer ${key}` };
  return 'header' in place ? { [place.header]: key } : {};
};

const withKey = (url: string, place: KeyPlace, channel: Channel): string => {
  const key = channel.key.reveal().trim();
  if (place === 'bearer' || !('query' in place) || key === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${place.query}=${encodeURIComponent(key)}`;
};
