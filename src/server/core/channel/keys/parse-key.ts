import { z } from 'zod';
import { parsed } from '#contract/json-text.ts';
import { type OpenProxyPassword, type OutboundProxy, parseProxy } from '../../outbound/outbound-proxy.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ChannelKeyRow } from './channel-key-store.ts';
import { enabledKey } from './key-state.ts';
import type { KeyLimits, KeyState } from './pool.ts';

const limit = z.number().int().min(0).max(1e12).default(0);
const limitsSchema = z.object({
  callsPerMinute: limit,
  tokensPerMinute: limit,
  concurrent: limit,
  callsPerDay: limit,
});

export const withoutLimits: KeyLimits = {
  callsPerMinute: 0,
  tokensPerMinute: 0,
  concurrent: 0,
  callsPerDay: 0,
};

/** Parses stored limits; no limits if the text is invalid. */
export const parseKeyLimits = (text: string): KeyLimits =>
  text === '' ? withoutLimits : (limitsSchema.safeParse(parsed(text)).data ?? withoutLimits);

/** The limits as stored: empty if there are none. */
export const keyLimitsText = (limits: KeyLimits): string =>
  Object.values(limits).every((value) => value === 0) ? '' : JSON.stringify(limits);

/** The state of a stored key; an enabled one has no reason or time. */
export const parseKeyState = ({
  status,
  reason,
  untilMs,
  rounds,
}: Pick<ChannelKeyRow, keyof KeyState>): KeyState =>
  status === 'enabled' ? enabledKey : { status, reason, untilMs, rounds };

/** The key's own proxy. Its password is decrypted at its first use. */
export const parseKeyProxy = (
  { proxy, proxyPassword }: Pick<ChannelKeyRow, 'proxy' | 'proxyPassword'>,
  openPassword: OpenProxyPassword,
): OutboundProxy | undefined => {
  const carrier = proxy === '' ? undefined : parseProxy(proxy);
  if (carrier === undefined || proxyPassword === '') return carrier;
  return { ...carrier, password: new Secret(() => openPassword(proxyPassword, carrier.address)) };
};
