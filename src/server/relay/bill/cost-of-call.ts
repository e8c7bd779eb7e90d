import type { Routing } from '#core/channel/routing.ts';
import { costOf } from '#core/cost/cost.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { believedReport } from '#core/quota/charge.ts';
import type { Service } from '#core/quota/price-variants.ts';
import type { RelayDeps } from '../ports.ts';
import { serviceOf } from './service-of-call.ts';
import type { Held } from '../stages.ts';
import { parsed } from '#contract/text.ts';

const sourcesOf = ({ catalogue, options }: Routing) => ({
  catalogue,
  rates: options['cost_setting.currency_rates'],
});

/** What a call cost the operator, in billionths of a US dollar; undefined if that is not known. */
export const costOfCall = (held: Held, usage: Usage): number | undefined => {
  const { live, routing, request, isSideCall, price, createdAtMs } = held;
  const cost = live.trial?.channel.setting.cost;
  if (cost === undefined) return undefined;
  const { model: asked, callFactor = 1 } = request.facts;
  // Beside an answer another model works, and it has no other name.
  const model = (isSideCall ? undefined : live.trial?.spoken?.upstreamModel) || asked;
  const times = price.perToken === undefined ? (price.factors.times ?? 1) : callFactor;
  return costOf(cost, sourcesOf(routing), {
    model,
    usage,
    service: serviceOf(live),
    times,
    atMs: createdAtMs,
  });
};

/** The same for a call that is only known by its row: a task, a response made in the background. */
export const costOfRow = (
  routing: Routing,
  { channelId, model, createdAtMs, other }: CallLog,
  usage: Usage,
  service: Service = {},
): number | undefined => {
  const cost = routing.channels.get(channelId)?.setting.cost;
  if (cost === undefined) return undefined;
  const upstreamModel = fieldsOf(parsed(other))['upstream_model_name'];
  const bought = {
    model: typeof upstreamModel === 'string' ? upstreamModel : model,
    usage,
    service,
    times: 1,
  };
  return costOf(cost, sourcesOf(routing), { ...bought, atMs: createdAtMs });
};

/** Counts what an upstream used for an answer that nobody is charged for. Returns at once. */
export const noteHouseCost = (deps: Pick<RelayDeps, 'houseCosts' | 'log'>, held: Held): void => {
  const usage = believedReport(held.live.meter.reported);
  const channelId = held.live.trial?.channel.id;
  if (usage === undefined || channelId === undefined) return;
  const cost = {
    channelId,
    kind: 'attempt',
    atMs: held.createdAtMs,
    costNano: costOfCall(held, usage),
  } as const;
  void deps.houseCosts.add(cost).catch((error: unknown) => {
    deps.log.error('a cost of the house could not be written', { error, channel: channelId });
  });
};
