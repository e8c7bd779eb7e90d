import { z } from 'zod';
import { parsed } from '#contract/text.ts';
import { type OpenProxyPassword, type OutboundProxy, parseProxy } from '../outbound-proxy.ts';
import { Secret } from '../secret.ts';
import type { ChannelKeyRow } from './channel-key-store.ts';
import { enabledKey } from './key-state.ts';
import type { KeyLimits, KeyState, PoolKey } from './pool.ts';

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

/** The limits of a stored text; without any if it does not read. */
export const parseKeyLimits = (text: string): KeyLimits =>
  text === '' ? withoutLimits : (limitsSchema.safeParse(parsed(text)).data ?? withoutLimits);

/** Limits as they are stored: empty without any. */
export const keyLimitsText = (limits: KeyLimits): string =>
  Object.values(limits).every((value) => value === 0) ? '' : JSON.stringify(limits);

const stateOf = ({ status, reason, untilMs, rounds }: ChannelKeyRow): KeyState =>
  status === 'enabled' ? enabledKey : { status, reason, untilMs, rounds };

const proxyOf = (
  { proxy, proxyPassword }: ChannelKeyRow,
  openPassword: OpenProxyPassword,
): OutboundProxy | undefined => {
  const carrier = proxy === '' ? undefined : parseProxy(proxy);
  if (carrier === undefined || proxyPassword === '') return carrier;
  return { ...carrier, password: new Secret(() => openPassword(proxyPassword, carrier.address)) };
};

/** A stored key, read once. It is opened when it is used first. */
export const parseKey = (
  row: ChannelKeyRow,
  openKey: (row: ChannelKeyRow) => string,
  openPassword: OpenProxyPassword,
): PoolKey => ({
  id: row.id,
  channelId: row.channelId,
  label: row.label,
  tail: row.tail,
  key: new Secret(() => openKey(row)),
  state: stateOf(row),
  weight: Math.max(0, row.weight),
  limits: parseKeyLimits(row.limits),
  proxy: proxyOf(row, openPassword),
});
