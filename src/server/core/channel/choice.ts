import type { ChoicePolicy, ChoiceRules } from '#contract/choice.ts';
import type { Channel } from './channel.ts';
import { limitsOfModel } from './patience.ts';

/** By what one of the open channels of a tier is chosen, where that is not their weight alone. */
export interface Choice {
  readonly policy: Exclude<ChoicePolicy, 'weight'>;
  /** The lowest is best; undefined where it is not known, which is never best. */
  readonly scoreOf: (channel: Channel) => number | undefined;
  /** What staying scores for a session whose prompt is warm at the channel. Not given: it stays in any case. */
  readonly stayScoreOf?: (channel: Channel) => number | undefined;
}

/** The rule of a model in a group: the group's own first. */
export const choicePolicyOf = (
  { models, groups }: ChoiceRules,
  model: string,
  group: string,
): ChoicePolicy => {
  const ofGroup = groups && Object.hasOwn(groups, group) ? groups[group] : undefined;
  return (ofGroup && limitsOfModel(ofGroup, model)) ?? (models && limitsOfModel(models, model)) ?? 'weight';
};

interface Ways {
  /** The share of calls that goes to the other channels, so that their cost and speed stay known. */
  readonly exploring: number;
  /** What is so much worse than the best counts as good as it. */
  readonly tolerance: number;
}

const WAYS: Readonly<Record<Choice['policy'], Ways>> = {
  cheapest: { exploring: 0.05, tolerance: 0 },
  // Times are measured: whom a tenth divides are equals, and share the calls.
  fastest: { exploring: 0.05, tolerance: 0.1 },
  least_busy: { exploring: 0, tolerance: 0 },
  session: { exploring: 0, tolerance: 0 },
};

/** A session moves only for more than this share of what staying costs: what it is expected to cost is a guess. */
const LEAST_GAIN = 0.1;

/**
 * How likely each of a tier's open channels is taken, from 0 to 1: those of the best score share by weight, the others their
 * small part. Without any score known, all share by weight. A weight of 0 beside others with weight counts for nothing.
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

/** Takes one of them, with those chances. */
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
  // What was lost by rounding.
  return channels[chances.findLastIndex((chance) => chance > 0)];
};

/** Channels to one of which a bound session moves, as that is better than staying by enough; undefined if it stays. */
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

/** What a session's rest is expected to score, where it was and where it goes, and what of that its cold prompt is. */
export interface Move {
  readonly stay: number | undefined;
  readonly move: number | undefined;
  readonly cold: number | undefined;
}

/** The scores for which a session left `bound` for `target`; undefined where one is not known. */
export const moveOf = (bound: Channel, target: Channel, { scoreOf, stayScoreOf }: Choice): Move => {
  const move = scoreOf(target);
  const warm = stayScoreOf?.(target);
  const cold = move === undefined || warm === undefined ? undefined : move - warm;
  return { stay: stayScoreOf?.(bound), move, cold };
};
