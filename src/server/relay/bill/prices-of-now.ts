import { hoursAt } from '#core/quota/price-hours.ts';
import type { RelayDeps } from '../ports.ts';
import type { Held } from '../stages.ts';
import { priceFor } from './hold.ts';

type PriceDeps = Pick<RelayDeps, 'clock' | 'routing'>;

/** Whether other prices are due: a call is priced by what holds when it begins, and waits for `pricesDue`. */
export const isPriceDue = ({ clock, routing }: PriceDeps): boolean =>
  clock.now() >= (routing().pricesUntilMs ?? Infinity);

/** Whether what is held for a call that has not begun is at other prices than it would be if it began now. */
export const isPricedBefore = (
  { clock, routing }: PriceDeps,
  { routing: before, request, caller, group, createdAtMs }: Held,
): boolean => {
  const nowMs = clock.now();
  const { priceVersion, pricesUntilMs = Infinity } = routing();
  if (priceVersion !== before.priceVersion) return true;
  // What was held after that time has waited for them already.
  if (nowMs >= pricesUntilMs && createdAtMs < pricesUntilMs) return true;
  const { hours } = priceFor(before, request.facts.model, caller.user, group).factors.dimensions ?? {};
  return hours !== undefined && hoursAt(hours, nowMs) !== hoursAt(hours, createdAtMs);
};
