import { channelTypes } from '#contract/channel-types.ts';
import type { OutboundRequest } from '../outbound.ts';
import { Secrets } from '../secrets.ts';
import type { Channel } from './channel.ts';
import { keyParts } from './key-parts.ts';

type KeyedChannel = Pick<Channel, 'key' | 'setting' | 'baseUrl'>;

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname : undefined;

/** Where kinds of channels go unless they are told otherwise: everybody knows these. */
const PUBLIC_HOSTS: ReadonlySet<string | undefined> = new Set(
  channelTypes.map(({ baseUrl }) => hostOf(baseUrl)),
);

/** Where the operator has this channel go, and by which proxy. */
const hostsOf = ({ baseUrl, setting }: KeyedChannel): string[] => {
  const host = hostOf(baseUrl);
  const hosts = host === undefined || PUBLIC_HOSTS.has(host) ? [] : [host];
  return setting.proxy === undefined ? hosts : [...hosts, setting.proxy.host];
};

const known = new WeakMap<KeyedChannel, { readonly texts: readonly string[]; readonly secrets: Secrets }>();

const entryOf = (channel: KeyedChannel) => {
  let entry = known.get(channel);
  if (entry === undefined) {
    const password = channel.setting.proxy?.password.reveal() ?? '';
    const texts = [...keyParts(channel.key.reveal()), ...keyParts(password)];
    known.set(channel, (entry = { texts, secrets: new Secrets(texts, hostsOf(channel)) }));
  }
  return entry;
};

/** What answers of this channel's upstream may not tell: its key, each secret part of it, the password of its proxy. */
export const secretsOf = (channel: KeyedChannel): Secrets => entryOf(channel).secrets;

/** Headers and parameters of an address that prove who sends a request. */
const PROVES = /auth|key|token|secret|cookie|sign/i;
/** What stands in them beside secrets: kinds of proof, names of what is signed. */
const LEAST_PROOF_CHARACTERS = 20;

const proofsIn = ({ headers, url }: Pick<OutboundRequest, 'headers' | 'url'>): string[] => {
  const proofs: string[] = [];
  for (const name in headers) if (PROVES.test(name)) proofs.push(...(headers[name] ?? '').split(/[\s,]+/));
  if (url.includes('?'))
    for (const [name, value] of new URL(url).searchParams) if (PROVES.test(name)) proofs.push(value);
  return proofs;
};

/**
 * The same, with what this request proves itself by: a token made from the key, a signature. Mostly that is the key and
 * nothing more.
 */
export const secretsSent = (
  channel: KeyedChannel,
  request: Pick<OutboundRequest, 'headers' | 'url'>,
): Secrets => {
  const { texts, secrets } = entryOf(channel);
  const made = proofsIn(request).filter(
    (proof) =>
      proof.length >= LEAST_PROOF_CHARACTERS && !texts.some((text) => proof.includes(text) || text === proof),
  );
  return made.length === 0 ? secrets : new Secrets([...texts, ...made], secrets.hosts);
};
