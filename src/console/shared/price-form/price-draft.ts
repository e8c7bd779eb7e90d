import {
  type ContextPrice,
  modelDimensions,
  type PriceDimensions,
  type PriceHours,
  type PricePart,
  priceParts,
  type PriceShares,
} from '#contract/options/price-dimensions.ts';

/** Factors as typed: one for everything, or one for each part. */
export type SharesDraft = Readonly<Partial<Record<PricePart | 'all', number>>>;

interface StepDraft {
  readonly bound: 'above' | 'from';
  readonly tokens: number | undefined;
  readonly shares: SharesDraft;
}

interface TierDraft {
  readonly name: string;
  readonly shares: SharesDraft;
  readonly longContext: 'both' | 'step' | undefined;
}

export interface HoursDraft extends Pick<PriceHours, 'zone' | 'from' | 'to'> {
  /** None for every day. */
  readonly days: NonNullable<PriceHours['days']>;
  readonly shares: SharesDraft;
}

interface ResolutionDraft {
  readonly name: string;
  readonly factor: number | undefined;
}

/** The form's dimensions of one model; `rest` has no fields and is preserved. */
export interface PriceDraft {
  readonly counts: ContextPrice['counts'];
  readonly charges: ContextPrice['charges'];
  /** The option has a context, if one without steps: that takes away the built-in steps. */
  readonly hasContext: boolean;
  readonly steps: readonly StepDraft[];
  readonly tiers: readonly TierDraft[];
  readonly hours: readonly HoursDraft[];
  /** The seconds of a call that does not state them; undefined if the price is not per second. */
  readonly seconds: number | undefined;
  readonly resolutions: readonly ResolutionDraft[];
  readonly rest: Omit<PriceDimensions, 'context' | 'tiers' | 'hours' | 'media'>;
}

const partsOf = (shares: SharesDraft) =>
  Object.fromEntries(
    priceParts.flatMap((part) => (shares[part] === undefined ? [] : [[part, shares[part]]])),
  );

const sharesOf = (shares: PriceShares): SharesDraft =>
  typeof shares === 'number' ? { all: shares } : partsOf(shares);

export const draftOf = ({
  context,
  tiers = {},
  hours = [],
  media = {},
  ...rest
}: PriceDimensions): PriceDraft => ({
  counts: context?.counts ?? 'prompt',
  charges: context?.charges ?? 'call',
  hasContext: context !== undefined,
  steps: (context?.steps ?? []).map((step) => ({
    bound: step.from === undefined ? 'above' : 'from',
    tokens: step.from ?? step.above,
    shares: sharesOf(step),
  })),
  tiers: Object.entries(tiers).map(([name, tier]) => ({
    name,
    shares: sharesOf(tier),
    longContext: typeof tier === 'object' ? tier.longContext : undefined,
  })),
  hours: hours.map(({ zone, from, to, days = [], factor }) => ({
    zone,
    from,
    to,
    days,
    shares: sharesOf(factor),
  })),
  seconds: media.seconds?.usual,
  resolutions: Object.entries(media.resolutions ?? {}).map(([name, factor]) => ({ name, factor })),
  rest,
});

const written = (shares: SharesDraft): unknown => shares.all ?? partsOf(shares);

const writtenTier = ({ shares, longContext }: TierDraft): unknown =>
  shares.all === undefined && longContext !== undefined
    ? { ...partsOf(shares), longContext }
    : written(shares);

interface Named {
  readonly name: string;
}

/** A name that is there already is written as none, which is refused: one of the two would be lost unseen. */
const writtenNames = (rows: readonly Named[]): readonly string[] =>
  rows.map(({ name }, at) => (rows.findIndex((row) => row.name === name) === at ? name : ''));

const byName = <Row extends Named>(
  rows: readonly Row[],
  write: (row: Row) => unknown,
): Record<string, unknown> => {
  const names = writtenNames(rows);
  return Object.fromEntries(rows.map((row, at) => [names[at], write(row)]));
};

/** The option's new value, not validated yet. */
export const dimensionsOf = (draft: PriceDraft): Record<string, unknown> => {
  const { counts, charges, hasContext, steps, tiers, hours, seconds, resolutions, rest } = draft;
  const context = {
    counts,
    charges,
    steps: steps.map(({ bound, tokens, shares }) => ({ [bound]: tokens, ...partsOf(shares) })),
  };
  return {
    ...((hasContext || steps.length > 0) && { context }),
    ...(tiers.length > 0 && {
      tiers: byName(tiers, writtenTier),
    }),
    ...(hours.length > 0 && {
      hours: hours.map(({ days, shares, ...each }) => ({
        ...each,
        ...(days.length > 0 && { days }),
        factor: written(shares),
      })),
    }),
    ...((seconds !== undefined || resolutions.length > 0) && {
      media: {
        ...(seconds !== undefined && { seconds: { usual: seconds } }),
        ...(resolutions.length > 0 && {
          resolutions: byName(resolutions, ({ factor }) => factor),
        }),
      },
    }),
    ...rest,
  };
};

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly errors?: readonly (readonly Issue[])[];
}

/** The paths of an issue; for a union, those that its alternatives report, if any is deeper than the union itself. */
const placesOf = (issue: Issue): readonly (readonly PropertyKey[])[] => {
  const inner = (issue.errors ?? []).flat().flatMap(placesOf);
  const deeper = inner.filter((path) => path.length > 0);
  return deeper.length > 0 ? deeper.map((path) => [...issue.path, ...path]) : [issue.path];
};

/** The fields whose values the option would refuse, by names like `steps.0.tokens`. */
export const wrongFields = (draft: PriceDraft): ReadonlySet<string> => {
  const wrong = new Set<string>();
  for (const list of ['tiers', 'resolutions'] as const)
    for (const [at, name] of writtenNames(draft[list]).entries())
      if (name === '') wrong.add(`${list}.${String(at)}.name`);
  const read = modelDimensions.safeParse(dimensionsOf(draft));
  for (const issue of read.error?.issues ?? [])
    for (const path of placesOf(issue)) wrong.add(fieldAt(draft, path.map(String), issue.code));
  return wrong;
};

const isPart = (name: string | undefined): boolean => priceParts.some((part) => part === name);

const fieldAt = (draft: PriceDraft, path: readonly string[], code: string | undefined): string => {
  const [first = '', second = '', third, fourth] = path;
  if (first === 'context') return `steps.${third ?? '0'}.${isPart(fourth) ? String(fourth) : 'tokens'}`;
  if (first === 'hours') {
    if (third === 'factor') return `hours.${second}.${isPart(fourth) ? String(fourth) : 'all'}`;
    return `hours.${second}.${third ?? 'zone'}`;
  }
  if (first === 'media') {
    if (second === 'seconds') return 'seconds';
    const row = String(writtenNames(draft.resolutions).indexOf(third ?? ''));
    return `resolutions.${row}.${code === 'invalid_key' ? 'name' : 'factor'}`;
  }
  const at = String(writtenNames(draft.tiers).indexOf(second));
  if (code === 'invalid_key') return `tiers.${at}.name`;
  return `tiers.${at}.${isPart(third) ? String(third) : 'all'}`;
};
