import type { ChannelPace } from '#core/channel/health/channel-pace.ts';
import { type Choice, choicePolicyOf } from '#core/channel/selection/choice.ts';
import type { Clock } from '#core/clock.ts';
import {
  expectedCost,
  expectedRest,
  expectedSessionCost,
  type SessionPast,
  warmTokens,
} from '#core/cost/expected-cost.ts';
import { knownUnitCosts } from '../bill/cost/known-unit-costs.ts';
import type { Source } from '../request/choose-format.ts';
import type { Admitted } from '../stages.ts';

export interface ChoiceDeps {
  readonly pace: ChannelPace;
  readonly clock: Pick<Clock, 'monotonic'>;
}

type ChoosingCall = Pick<Source, 'request'> & Pick<Admitted, 'group' | 'createdAtMs' | 'routing'>;

/** The length assumed for an answer while nothing is known about it. */
const USUAL_OUTPUT_TOKENS = 1000;

/**
 * The policy by which a call's channel is chosen; undefined for weights.
 * @param past what is known of its session; undefined if none of its calls was answered
 */
export const choiceOf = (
  deps: ChoiceDeps,
  call: ChoosingCall,
  past?: () => SessionPast | undefined,
): Choice | undefined => {
  const { routing, request, group } = call;
  const { model } = request.facts;
  const policy = choicePolicyOf(routing.options['routing_setting.choice'], model, group);
  switch (policy) {
    case 'weight':
      return undefined;
    case 'cheapest':
      return cheapest(call);
    case 'session':
      return sessionChoice(call, past?.());
    case 'fastest': {
      const nowMs = deps.clock.monotonic();
      return { policy, scoreOf: ({ id }) => deps.pace.firstTokenMs(id, model, nowMs) };
    }
    case 'least_busy':
      return {
        policy,
        scoreOf: ({ id, weight }) => (deps.pace.running(id) + 1) / Math.max(1, weight),
      };
  }
};

const expectedOf = ({ request }: ChoosingCall) => ({
  promptTokens: request.facts.inputTokensEstimate,
  outputTokens: Math.min(USUAL_OUTPUT_TOKENS, request.facts.maxOutputTokens ?? USUAL_OUTPUT_TOKENS),
});

const costsFor = (
  { routing, request, createdAtMs: atMs }: ChoosingCall,
  { orList }: { readonly orList: boolean },
) => {
  const { model, inputTokensEstimate: promptTokens } = request.facts;
  return knownUnitCosts(routing, { model, promptTokens, atMs, orList });
};

const cheapest = (call: ChoosingCall): Choice => {
  const expected = expectedOf(call);
  const costsOf = costsFor(call, { orList: false });
  return {
    policy: 'cheapest',
    scoreOf: (channel) => {
      const costs = costsOf(channel);
      return costs && expectedCost(costs, expected);
    },
  };
};

const sessionChoice = (call: ChoosingCall, past: SessionPast | undefined): Choice => {
  const expected = expectedOf(call);
  const costsOf = costsFor(call, { orList: true });
  const rest = expectedRest(past);
  const costWith =
    (warm: number): Choice['scoreOf'] =>
    (channel) => {
      const costs = costsOf(channel);
      return costs && expectedSessionCost(costs, expected, rest, warm);
    };
  return {
    policy: 'session',
    scoreOf: costWith(0),
    ...(past !== undefined && { stayScoreOf: costWith(warmTokens(expected, past)) }),
  };
};
