import { hoursAt } from '#core/quota/price-hours.ts';
import type { RelayDeps } from '../ports.ts';
import type { Held } from '../stages.ts';
import { priceFor } from './price-of-call.ts';

type PriceDeps = Pick<RelayDeps, 'clock' | 'routing'>;

/**
 * Whether scheduled prices are due that are not in effect yet. Calls wait for `pricesDue` then, because a call is
 * charged at the prices of its beginning.
 */
export const isPriceDue = ({ clock, routing }: PriceDeps): boolean =>
  clock.now() >= (routing().pricesUntilMs ?? Infinity);

/** Whether a call that has not begun was held at other prices than it would be held at now. */
export const isPricedBefore = (
  { clock, routing }: PriceDeps,
  { routing: before, request, caller, group, createdAtMs }: Held,
): boolean => {
  const nowMs = clock.now();
  const { priceVersion, pricesUntilMs = Infinity } = routing();
  if (priceVersion !== before.priceVersion) return true;
  // A hold made after that time has already waited for the new prices.
  if (nowMs >= pricesUntilMs && createdAtMs < pricesUntilMs) return true;
  const { hours } = priceFor(before, request.facts.model, caller.user, group).factors.dimensions ?? {};
  return hours !== undefined && hoursAt(hours, nowMs) !== hoursAt(hours, createdAtMs);
};
