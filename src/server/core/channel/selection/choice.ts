import type { ChoicePolicy, ChoiceRules } from '#contract/channel/choice.ts';
import type { Channel } from '../channel.ts';
import { limitsOfModel } from '../health/patience.ts';
import { ownOf } from '../../json/fields.ts';

/** How to choose among the open channels of a tier, unless by weight alone. */
export interface Choice {
  readonly policy: Exclude<ChoicePolicy, 'weight'>;
  /** The lowest score is best; undefined if unknown, which is never best. */
  readonly scoreOf: (channel: Channel) => number | undefined;
  /** The score of staying for a session whose prompt is cached at the channel. If missing, the session always stays. */
  readonly stayScoreOf?: (channel: Channel) => number | undefined;
}

/** The rule for a model in a group; a rule of the group comes first. */
export const choicePolicyOf = (
  { models, groups }: ChoiceRules,
  model: string,
  group: string,
): ChoicePolicy => {
  const ofGroup = ownOf(groups, group);
  return (ofGroup && limitsOfModel(ofGroup, model)) ?? (models && limitsOfModel(models, model)) ?? 'weight';
};

interface Ways {
  /** The share of calls sent to the other channels, so that their cost and speed stay known. */
  readonly exploring: number;
  /** By how much a channel may be worse than the best and still count as equal. */
  readonly tolerance: number;
}

const WAYS: Readonly<Record<Choice['policy'], Ways>> = {
  cheapest: { exploring: 0.05, tolerance: 0 },
  // Times are measurements: channels within a tenth are equal and share the calls.
  fastest: { exploring: 0.05, tolerance: 0.1 },
  least_busy: { exploring: 0, tolerance: 0 },
  session: { exploring: 0, tolerance: 0 },
};

/**
 * A session moves only if it saves more than this share of the cost of staying, because the expected cost is a guess.
 */
const LEAST_GAIN = 0.1;

/**
 * The probability of each of a tier's open channels, from 0 to 1. Those with the best score share by weight; the others
 * get their small part. If no score is known, all share by weight. A channel of weight 0 gets nothing beside others
 * with weight.
 */
export const chancesByChoice = (
  channels: readonly Channel[],
  { policy, scoreOf }: Choice,
): readonly number[] => {
  const isEven = channels.every(({ weight }) => weight === 0);
  const { exploring, tolerance } = WAYS[policy];
  const scores: number[] = [];
  let best = Infinity;
  for (const channel of channels) {
    const score = (isEven || channel.weight > 0 ? scoreOf(channel) : undefined) ?? Infinity;
    scores.push(score);
    best = Math.min(best, score);
  }
  const most = best * (1 + tolerance);
  let bestWeight = 0;
  let otherWeight = 0;
  for (const [at, channel] of channels.entries()) {
    const weight = isEven ? 1 : channel.weight;
    if ((scores[at] ?? Infinity) <= most) bestWeight += weight;
    else otherWeight += weight;
  }
  const others = otherWeight === 0 ? 0 : exploring;
  return channels.map((channel, at) => {
    const weight = isEven ? 1 : channel.weight;
    const isBest = (scores[at] ?? Infinity) <= most;
    if (isBest) return ((1 - others) * weight) / bestWeight;
    return otherWeight === 0 ? 0 : (others * weight) / otherWeight;
  });
};

/** Draws one of them with those probabilities. */
export const drawByChoice = (
  channels: readonly Channel[],
  choice: Choice,
  dice: number,
): Channel | undefined => {
  const chances = chancesByChoice(channels, choice);
  let rest = dice;
  for (const [at, chance] of chances.entries()) {
    rest -= chance;
    if (rest < 0) return channels[at];
  }
  // Rounding may leave a small rest: it goes to the last possible channel.
  return channels[chances.findLastIndex((chance) => chance > 0)];
};

/** The channels to which a bound session may move because they are better by enough; undefined if it stays. */
export const othersWorthMoving = (
  channels: readonly Channel[],
  bound: Channel,
  { scoreOf, stayScoreOf }: Choice,
): readonly Channel[] | undefined => {
  const stay = stayScoreOf?.(bound);
  if (stay === undefined) return undefined;
  const others = channels.filter(({ id }) => id !== bound.id);
  const isEven = others.every(({ weight }) => weight === 0);
  let best = Infinity;
  for (const channel of others)
    if (isEven || channel.weight > 0) best = Math.min(best, scoreOf(channel) ?? Infinity);
  return best < stay * (1 - LEAST_GAIN) ? others : undefined;
};

/**
 * The expected score of a session's remaining calls where it was and where it moves, and which part of that is its cold
 * prompt.
 */
export interface Move {
  readonly stay: number | undefined;
  readonly move: number | undefined;
  readonly cold: number | undefined;
}

/** The scores for which a session moved from `bound` to `target`; undefined if one is unknown. */
export const moveOf = (bound: Channel, target: Channel, { scoreOf, stayScoreOf }: Choice): Move => {
  const move = scoreOf(target);
  const warm = stayScoreOf?.(target);
  const cold = move === undefined || warm === undefined ? undefined : move - warm;
  return { stay: stayScoreOf?.(bound), move, cold };
};
