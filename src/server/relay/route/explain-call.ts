import { isRealtimeModel } from '#contract/channel/override-fields.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import type {
  ExplainCall,
  ExplainedCall,
  ExplainedOffer,
  SampleAsk,
} from '#core/channel/selection/explain-call.ts';
import { explainSelection } from '#core/channel/selection/explain-selection.ts';
import type { Undiced } from '#core/channel/selection/open-channels.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { costOf, costSourcesOf } from '#core/cost/cost.ts';
import { asAppError } from '#core/error.ts';
import { priceAt, quotaAt } from '#core/quota/price-variants.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { priceFor } from '../bill/price/price-of-call.ts';
import { unservedModel } from '../caller/usable-models.ts';
import type { RelayDeps } from '../ports.ts';
import { type FormatDeps, upstreamModel } from '../request/choose-format.ts';
import { type ChoiceDeps, choiceOf } from './choice-of-call.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import { expectedTokens, type Selectable, selectionOf } from './choose.ts';
import type { KeyUses } from './key-uses.ts';
import { type SampleDeps, sampleSource } from './sample-source.ts';
import { doubtOf } from './health/doubt.ts';
import { healthName } from './health/health-node.ts';
import type { SeatRooms } from './seat-rooms.ts';
import type { SessionAffinity } from './session-affinity.ts';

type ExplainDeps = SampleDeps &
  ChoiceDeps &
  FormatDeps &
  Pick<RelayDeps, 'upstreamOf'> & {
    readonly health: ChannelHealth;
    readonly keyUses: KeyUses;
    readonly rooms: Pick<SeatRooms, 'hasRoom'>;
    readonly affinity: Pick<SessionAffinity, 'sessionOf' | 'sessionById' | 'peek' | 'past'>;
  };

const MOST = { channels: 200, keys: 5000 };
/** Of one channel. */
const KEYS_SHOWN = 50;
const NOTHING_TRIED = { channels: new Set<number>(), keys: new Set<number>() };

/** Says which channel a call would get, using the functions that choose one. Changes nothing and counts nothing. */
export const createExplain =
  (deps: ExplainDeps): ExplainCall =>
  (ask) => {
    const { user } = ask;
    const source = sampleSource(deps, ask);
    const { routing, request } = source;
    const { facts } = request;
    const { groups, refusal } = admitted(deps, ask, facts.model);
    const group = groups.find((name) => routing.tiers.get(name)?.has(facts.model)) ?? groups[0] ?? ask.group;
    const call: Selectable = {
      ...source,
      request: {
        ...request,
        facts: { ...facts, inputTokensEstimate: ask.inputTokens, maxOutputTokens: ask.outputTokens },
      },
      caller: { user },
      group,
      createdAtMs: deps.clock.now(),
    };
    const nowMs = deps.clock.monotonic();
    const name = healthName(facts.model, source.call.operation);
    const session = sessionOf(deps, ask, call);
    const choice = choiceOf(deps, call, session && (() => deps.affinity.past(user.id, session)));
    const input: Undiced = {
      ...selectionOf(deps, call, NOTHING_TRIED),
      keys: deps.keyUses.looking,
      isCooling: (channelId, keyId) => deps.health.wouldCool(channelId, keyId, name, nowMs, user.id),
      isDoubtful: doubtOf(deps.health, {
        model: name,
        nowMs,
        userId: user.id,
        hasTried: false,
        canRepeat: true,
      }),
      hasRoom: deps.rooms.hasRoom(expectedTokens(ask.inputTokens, ask.outputTokens)),
      choice,
      wish: session && deps.affinity.peek(user.id, session),
    };
    const explained = explainSelection(routing, input, MOST);
    const { channels, coolingTaken, total } = explained;
    const usage = { ...noUsage, inputTokens: ask.inputTokens, outputTokens: ask.outputTokens };
    return {
      model: facts.model,
      askedModel: facts.askedModel,
      groups,
      group,
      refusal,
      coolingTaken,
      policy: choice?.policy ?? 'weight',
      session: session && { from: session.from, wish: explained.wish },
      quotaUnits: unitsOf(call, usage),
      channels: channels.map((one) => offerOf(call, one, usage)),
      total,
    };
  };

/** A sample prompt has no real text, so only the session id identifies its session. */
const sessionOf = ({ affinity }: ExplainDeps, { sessionId, user }: SampleAsk, call: Selectable) => {
  const { routing, request, group } = call;
  if (sessionId !== undefined) return affinity.sessionById(sessionId, routing, request.facts.model);
  const session = affinity.sessionOf({ ...call, caller: { user } }, group);
  return session?.from === 'prompt' ? undefined : session;
};

/** The groups the call may pay with, or why it would be refused before a channel is chosen. */
const admitted = (
  { routing: now }: ExplainDeps,
  { user, token, group }: SampleAsk,
  model: string,
): Pick<ExplainedCall, 'groups' | 'refusal'> => {
  const routing = now();
  let groups: readonly string[] = [];
  try {
    groups = groupsOf(routing.options, user.group, token?.group || group);
    if (token !== undefined) admitModel(token, model);
    if (!groups.some((name) => routing.tiers.get(name)?.has(model)))
      throw unservedModel(routing, groups, { user, token }, model);
    return { groups, refusal: undefined };
  } catch (thrown) {
    return { groups, refusal: asAppError(thrown) };
  }
};

const unitsOf = ({ routing, request, caller, group, createdAtMs }: Selectable, usage: Usage) => {
  try {
    const price = priceFor(routing, request.facts.model, caller.user, group);
    return quotaAt(priceAt(price, createdAtMs), usage, {});
  } catch {
    // The model has no price.
    return undefined;
  }
};

const offerOf = (
  { routing, request, group, call, createdAtMs }: Selectable,
  { channel, keys, ...chosen }: ReturnType<typeof explainSelection>['channels'][number],
  usage: Usage,
): ExplainedOffer => {
  const { model } = request.facts;
  const atUpstream = upstreamModel(channel, model);
  const active = activeOverrides(channel.setting.overrides, { model, group, headers: call.headers });
  // A realtime call has headers but no body.
  const rules = isRealtimeModel(model) ? active.filter(({ on }) => on === 'header') : active;
  const { id, name, type, status, priority, weight, setting } = channel;
  const bought = { model: atUpstream, usage, service: {}, times: 1, atMs: createdAtMs };
  return {
    ...chosen,
    id,
    name,
    type,
    status,
    priority,
    weight,
    upstreamModel: atUpstream,
    rules: rules.length,
    costNano: costOf(setting.cost, costSourcesOf(routing), bought),
    keys: keys.slice(0, KEYS_SHOWN),
    keyCount: channel.pool.length,
  };
};
