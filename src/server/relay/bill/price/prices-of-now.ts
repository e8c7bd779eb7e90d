import type { Routing } from '#core/channel/routing.ts';
import { hoursAt } from '#core/quota/price-hours.ts';
import type { RelayDeps } from '../../ports.ts';
import { knowsGroups } from '../../caller/known-groups.ts';
import type { Caller } from '../../request/request.ts';
import type { Begun, Held } from '../../stages.ts';
import { priceFor } from './price-of-call.ts';

type PriceDeps = Pick<RelayDeps, 'clock' | 'routing'>;

/** A moment, and the configuration of that moment: a call is charged at the prices of its beginning. */
export interface Moment {
  readonly atMs: number;
  readonly routing: Routing;
}

/** Now; undefined while scheduled prices that are due are not in effect yet. */
export const momentNow = ({ clock, routing: current }: PriceDeps): Moment | undefined => {
  const atMs = clock.now();
  const routing = current();
  return atMs >= (routing.pricesUntilMs ?? Infinity) ? undefined : { atMs, routing };
};

/** The moment when prices that are due are in effect. */
export const momentAfter = async (deps: PriceDeps & Pick<RelayDeps, 'pricesDue'>): Promise<Moment> => {
  await deps.pricesDue?.();
  return { atMs: deps.clock.now(), routing: deps.routing() };
};

/**
 * The moment when a call began; a later one if its group was renamed since, so that the routing of its beginning does
 * not know what the caller's group is called.
 */
export const momentFor = async (
  deps: PriceDeps & Pick<RelayDeps, 'pricesDue'>,
  { routing, createdAtMs: atMs }: Pick<Begun, 'routing' | 'createdAtMs'>,
  { user, token }: Pick<Caller, 'user' | 'token'>,
): Promise<Moment> => {
  if (knowsGroups(routing, user, token)) return { atMs, routing };
  return momentNow(deps) ?? (await momentAfter(deps));
};

/** Whether a call that has not begun was held at other prices than it would be held at now. */
export const isPricedBefore = (
  { clock, routing }: PriceDeps,
  { routing: before, request, caller, group, createdAtMs }: Held,
): boolean => {
  const nowMs = clock.now();
  const { priceVersion, pricesUntilMs = Infinity } = routing();
  if (priceVersion !== before.priceVersion) return true;
  // A hold made after that time has already waited for the new prices. List prices change without a new version.
  for (const untilMs of [pricesUntilMs, before.pricesUntilMs ?? Infinity])
    if (nowMs >= untilMs && createdAtMs < untilMs) return true;
  const { hours } = priceFor(before, request.facts.model, caller.user, group).factors.dimensions ?? {};
  return hours !== undefined && hoursAt(hours, nowMs) !== hoursAt(hours, createdAtMs);
};
