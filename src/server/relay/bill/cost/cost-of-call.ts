import type { Routing } from '#core/channel/routing.ts';
import { type CallCost, costOfUse } from '#core/cost/allowance.ts';
import { costSourcesOf } from '#core/cost/cost.ts';
import type { HouseCostKind } from '#core/cost/house-cost-store.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { believedReport, withAgesOf } from '#core/quota/charge.ts';
import type { Service } from '#core/quota/served-terms.ts';
import type { RelayDeps } from '../../ports.ts';
import type { Admitted, Held } from '../../stages.ts';
import type { SentAs, Destination } from '../../destination.ts';
import { type AskedFacts, type Meter, toolCallsOf } from '../meter.ts';
import { parsed } from '#contract/json-text.ts';

/** What a call cost the operator. */
export const costOfCall = (held: Held, usage: Usage): CallCost => {
  const { price, live } = held;
  const times = price.perToken === undefined ? price.factors.times : undefined;
  return costOfAnswer(held, live.destination, { usage, meter: live.meter, times });
};

/** A call that a channel was asked for. */
export type Attempted = Pick<Admitted, 'routing' | 'request' | 'isSideCall' | 'createdAtMs'>;
/** The channel that was asked, and the terms it was asked with. */
export type PaidDestination = Pick<Destination, 'channel'> & {
  readonly sentAs?: Pick<SentAs, 'upstreamModel' | 'terms'>;
};

interface Used {
  readonly usage: Usage;
  readonly meter: Meter;
  /** How many times a price per call applies; by default as often as the caller asked for. */
  readonly times?: number | undefined;
}

const UNKNOWN: CallCost = { costNano: undefined };

const costOfAnswer = (
  { routing, request, isSideCall, createdAtMs }: Attempted,
  destination: PaidDestination | undefined,
  { usage, meter, times = request.facts.callFactor ?? 1 }: Used,
): CallCost => {
  if (destination?.channel.setting.cost === undefined) return UNKNOWN;
  const asked = request.facts.model;
  // A side call, such as drawing, is made by another model than the answer's, so the name sent upstream does not apply.
  const model = (isSideCall ? undefined : destination.sentAs?.upstreamModel) || asked;
  const service = { sent: destination.sentAs?.terms, served: meter.served };
  return costOfUse(destination.channel, costSourcesOf(routing), {
    model,
    usage,
    service,
    times,
    atMs: createdAtMs,
    body: request.fields,
  });
};

/**
 * The same for a call known only by its log row: a task, whose row is as old as its end, or a response made in the
 * background.
 */
export const costOfRow = (
  routing: Routing,
  { channelId, keyId = 0, model, createdAtMs, useTimeMs, other }: CallLog,
  usage: Usage,
  service: Service = {},
): CallCost => {
  const channel = routing.channels.get(channelId);
  if (channel?.setting.cost === undefined) return UNKNOWN;
  const upstreamModel = fieldsOf(parsed(other))['upstream_model_name'];
  const bought = {
    model: typeof upstreamModel === 'string' ? upstreamModel : model,
    usage,
    service,
    times: 1,
  };
  return costOfUse(
    { ...channel, keyId },
    costSourcesOf(routing),
    { ...bought, atMs: createdAtMs },
    createdAtMs - useTimeMs,
  );
};

/**
 * Adds the reported usage of an uncharged answer to the operator's costs. Does nothing if no usage was reported.
 * Returns at once.
 */
export const noteHouseCost = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  attempted: Attempted,
  destination: PaidDestination | undefined,
  meter: Meter,
): void => {
  const usage = unpaidUsage(meter, attempted.request.facts);
  if (usage !== undefined && destination !== undefined)
    addHouseCost(deps, attempted, destination, { kind: 'attempt', meter, usage });
};

interface Unpaid extends Used {
  readonly kind: HouseCostKind;
}

/** Adds usage that no caller is charged for to the operator's costs. Returns at once. */
export const addHouseCost = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  attempted: Attempted,
  destination: PaidDestination,
  { kind, ...used }: Unpaid,
): void => {
  const { createdAtMs: atMs } = attempted;
  const channelId = destination.channel.id;
  const cost = costOfAnswer(attempted, destination, used);
  const isEstimated = used.usage.estimated;
  void deps.houseCosts
    .add({ channelId, kind, atMs, ...cost, isEstimated })
    .catch((error: unknown) =>
      deps.log.error('a cost of the house could not be written', { error, channel: channelId }),
    );
};

/** The usage an upstream reported for an answer; undefined if it reported nothing plausible. */
export const unpaidUsage = (
  meter: Meter,
  { keepsAnHour }: Pick<AskedFacts, 'keepsAnHour'> = {},
): Usage | undefined => {
  const told = believedReport(meter.reported);
  const usage = told && withAgesOf(told, keepsAnHour);
  const calls = toolCallsOf(meter);
  return usage === undefined || calls === undefined ? usage : { ...usage, toolCalls: calls };
};
