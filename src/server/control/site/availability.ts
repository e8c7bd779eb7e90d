import type { availabilitySpans } from '#contract/availability.ts';
import { AUTO_GROUP } from '#contract/codes.ts';
import { fits, globOf } from '#contract/glob.ts';
import { type AvailabilityStore } from '#core/availability/availability.ts';
import { availabilityReport, type ModelAvailability } from '#core/availability/availability-report.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import { formerNames } from '#core/token/present-group.ts';
import { isPayable } from '#core/task/task-price.ts';
import { refuse } from '../refuse.ts';
import { DAY_S, HOUR_S } from '#core/time/spans.ts';

interface AvailabilityDeps {
  readonly availability: Pick<AvailabilityStore, 'calls' | 'firstTokens'>;
  readonly routing: () => Routing;
  readonly clock: Pick<Clock, 'now'>;
}

/** A time span of the public page. */
export type AvailabilitySpan = (typeof availabilitySpans)[number];

/** What the public page shows: a row of bars for each model. */
export interface PublicAvailability {
  /** The length of each bar, in seconds. */
  readonly stretch: number;
  /** Where the first bar begins, in seconds since 1970. */
  readonly fromS: number;
  readonly readAtS: number;
  readonly models: readonly ModelAvailability[];
  /** How many models are not listed. */
  readonly more: number;
}

const spans: Readonly<
  Record<AvailabilitySpan, { readonly stretch: typeof HOUR_S | typeof DAY_S; readonly bars: number }>
> = {
  '24h': { stretch: HOUR_S, bars: 24 },
  '7d': { stretch: DAY_S, bars: 7 },
  '30d': { stretch: DAY_S, bars: 30 },
  '90d': { stretch: DAY_S, bars: 90 },
};
/** How long sums stay cached, however often the page is opened. */
const KEPT_MS = 20_000;
const MOST_MODELS = 200;

/**
 * Reads the availability of models for the public page. Throws `availability_private` if the operator does not show it.
 */
export const createPublicAvailability = (deps: AvailabilityDeps) => {
  const kept = new Map<
    AvailabilitySpan,
    { readonly untilMs: number; readonly of: string; readonly answer: Promise<PublicAvailability> }
  >();
  return async (span: AvailabilitySpan): Promise<PublicAvailability> => {
    const routing = deps.routing();
    if (!routing.options['availability_setting.enabled']) throw refuse('availability_private');
    const shown = shownModels(routing);
    const of = JSON.stringify(shown);
    const nowMs = deps.clock.now();
    const known = kept.get(span);
    if (known !== undefined && known.of === of && nowMs < known.untilMs && nowMs >= known.untilMs - KEPT_MS)
      return known.answer;
    const answer = read(deps, span, shown, nowMs);
    kept.set(span, { untilMs: nowMs + KEPT_MS, of, answer });
    // A failed answer is not cached.
    answer.catch(() => kept.get(span)?.answer === answer && kept.delete(span));
    return answer;
  };
};

interface Shown {
  readonly groups: readonly string[];
  /** With the names they have had, by which earlier calls are counted. */
  readonly counted: readonly string[];
  readonly models: readonly string[];
  readonly more: number;
  readonly leastCalls: number;
  readonly leastCallers: number;
}

/** The models to show, among those on offer. Disabled channels count: they make a model unavailable, not unknown. */
const shownModels = (routing: Routing): Shown => {
  const { options, byModel, channels } = routing;
  const chosen = options['availability_setting.groups'];
  const groups = (chosen.length === 0 ? Object.keys(options.UserUsableGroups) : chosen).filter(
    (group) => group !== AUTO_GROUP,
  );
  const patterns = options['availability_setting.models'].map(globOf);
  const models = [...byModel]
    .filter(([, ids]) => ids.some((id) => channels.get(id)?.groups.some((group) => groups.includes(group))))
    .map(([model]) => model)
    .filter((model) => patterns.length === 0 || patterns.some((glob) => fits(glob, model)))
    .filter((model) => isPayable(routing, model))
    .toSorted();
  return {
    groups,
    counted: groups.flatMap((group) => [group, ...formerNames(options, group)]),
    models: models.slice(0, MOST_MODELS),
    more: Math.max(0, models.length - MOST_MODELS),
    leastCalls: options['availability_setting.least_calls'],
    leastCallers: options['availability_setting.least_callers'],
  };
};

const read = async (
  { availability }: AvailabilityDeps,
  span: AvailabilitySpan,
  shown: Shown,
  nowMs: number,
): Promise<PublicAvailability> => {
  const { stretch, bars } = spans[span];
  const readAtS = Math.floor(nowMs / 1000);
  const fromS = (Math.floor(readAtS / stretch) - bars + 1) * stretch;
  const ask = { stretch, fromS, groups: shown.counted, models: shown.models };
  const [calls, firstTokens] = await Promise.all([availability.calls(ask), availability.firstTokens(ask)]);
  const models = availabilityReport(shown.models, { fromS, stretch, bars }, calls, firstTokens, shown);
  return { stretch, fromS, readAtS, models, more: shown.more };
};
