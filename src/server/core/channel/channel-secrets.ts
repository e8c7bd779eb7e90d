import { channelTypes } from '#contract/channel-types.ts';
import type { OutboundRequest } from '../outbound/outbound.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { Channel } from './channel.ts';
import { keyParts } from './keys/key-parts.ts';

type KeyedChannel = Pick<Channel, 'key' | 'setting' | 'baseUrl'>;

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname : undefined;

/** Default hosts of channel types: public knowledge, so not masked. */
const PUBLIC_HOSTS: ReadonlySet<string | undefined> = new Set(
  channelTypes.map(({ baseUrl }) => hostOf(baseUrl)),
);

/** The hosts that the operator set for this channel: its base URL and its proxy. */
const hostsOf = ({ baseUrl, setting }: KeyedChannel): string[] => {
  const host = hostOf(baseUrl);
  const hosts = host === undefined || PUBLIC_HOSTS.has(host) ? [] : [host];
  return setting.proxy === undefined ? hosts : [...hosts, setting.proxy.host];
};

interface Entry {
  readonly texts: readonly string[];
  readonly secrets: Secrets;
  /** The last header value that was found to hold only the channel's own secrets; most calls send the same. */
  proved: string | undefined;
}

const known = new WeakMap<KeyedChannel, Entry>();

const entryOf = (channel: KeyedChannel): Entry => {
  let entry = known.get(channel);
  if (entry === undefined) {
    const password = channel.setting.proxy?.password.reveal() ?? '';
    const texts = [...keyParts(channel.key.reveal()), ...keyParts(password)];
    known.set(channel, (entry = { texts, secrets: new Secrets(texts, hostsOf(channel)), proved: undefined }));
  }
  return entry;
};

/** What responses of this channel's upstream must not reveal: its key, each secret part of it, the proxy's password. */
export const secretsOf = (channel: KeyedChannel): Secrets => entryOf(channel).secrets;

/** Names of headers and query parameters that carry credentials. */
const PROVES = /auth|key|token|secret|cookie|sign/i;
/** Whether a header or query parameter of this name carries credentials. */
export const carriesCredentials = (name: string): boolean => PROVES.test(name);

/** Shorter values are not secret: authentication schemes, names of signed fields. */
const LEAST_PROOF_CHARACTERS = 20;

/** Whether a part of a credential is something other than the channel's own secrets. */
const isMade = (proof: string, { texts }: Entry): boolean =>
  proof.length >= LEAST_PROOF_CHARACTERS && !texts.some((text) => proof.includes(text));

/** The secret parts of credentials in this request that were made for it. */
const madeIn = ({ headers, url }: Pick<OutboundRequest, 'headers' | 'url'>, entry: Entry): string[] => {
  const made: string[] = [];
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (value.length < LEAST_PROOF_CHARACTERS || value === entry.proved || !carriesCredentials(name))
      continue;
    const before = made.length;
    for (const proof of value.split(/[\s,]+/)) if (isMade(proof, entry)) made.push(proof);
    if (made.length === before) entry.proved = value;
  }
  if (url.includes('?'))
    for (const [name, value] of new URL(url).searchParams)
      if (carriesCredentials(name) && isMade(value, entry)) made.push(value);
  return made;
};

/**
 * Masks the credentials of this request too, such as a token made from the key or a signature. Usually that is only the
 * key.
 */
export const secretsSent = (
  channel: KeyedChannel,
  request: Pick<OutboundRequest, 'headers' | 'url'>,
): Secrets => {
  const entry = entryOf(channel);
  const made = madeIn(request, entry);
  return made.length === 0 ? entry.secrets : new Secrets([...entry.texts, ...made], entry.secrets.hosts);
};
