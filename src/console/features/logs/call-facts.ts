import { type FactorName, factorNames } from '#contract/price-factors.ts';
import { type JsonFields, numberOf, objectOf, readFields, textOf } from './json-fields.ts';
import { type RowFacts, rowFactsOf } from './row-facts.ts';
import { readSession, type SessionFacts } from './session-facts.ts';

/** One line of a receipt: so many tokens at so many units each, exact decimals as text. */
export interface PriceStep {
  readonly bucket: string;
  readonly count: number;
  /** The factors of a part of the price; empty in older rows. */
  readonly factors: readonly { readonly name: FactorName; readonly value: string }[];
  readonly unitsEach: string;
  readonly units: string;
}

export interface Attempt {
  readonly channel: number;
  /** The upstream's status; 0 if it sent none. */
  readonly status: number;
  readonly ms: number;
  readonly error: string;
  /** Its begin, counted from the call's; undefined in older rows. */
  readonly atMs: number | undefined;
  /** Counted from its own begin: until it was connected, and until the head of the answer. */
  readonly connectMs: number | undefined;
  readonly headMs: number | undefined;
  /** `won` or `lost` in a race; empty without one. */
  readonly race: string;
}

/** When a call was read, had its hold, and got the last piece of its answer; counted from its begin. */
export interface Stages {
  readonly readMs: number;
  readonly holdMs: number | undefined;
  readonly lastMs: number | undefined;
}

export interface LeftOut {
  readonly channel: number;
  readonly reason: string;
}

export interface QueuedFacts {
  readonly channel: number;
  readonly position: number;
  readonly waitMs: number;
}

/** For admins only: the channels tried and why. */
export interface RouteFacts {
  readonly attempts: readonly Attempt[];
  readonly group: string;
  readonly isCoolingTaken: boolean;
  /** Another attempt was due, but calls like this one had too many. */
  readonly isRetryRefused: boolean;
  /** Undefined in older rows. */
  readonly stages: Stages | undefined;
  /** The channel it waited for, and its place in the queue; undefined if it did not wait. */
  readonly queued: QueuedFacts | undefined;
  /** Undefined for a call without a session. */
  readonly session: SessionFacts | undefined;
  /** Undefined where no choice was recorded. */
  readonly leftOut: readonly LeftOut[] | undefined;
}

/** What of a call was free of its upstream's daily allowance. */
interface FreePart {
  readonly name: string;
  readonly of: 'tokens' | 'calls' | 'dollars';
  readonly amount: number;
}

/**
 * The parsed `other` of a log row. Any field may be missing, because rows of other versions and systems are shown
 * too.
 */
export interface CallFacts extends RowFacts {
  readonly path: string;
  /** The caller's format, then the upstream's if it differs; empty if unknown. */
  readonly formats: readonly string[];
  /** The keyed hash of its session; empty for a call without one. */
  readonly sessionId: string;
  readonly reasoningEffort: string;
  /** The requested and the served tier, speed or place; empty if standard. */
  readonly service: {
    readonly asked: string;
    readonly served: string;
    /** One of them has no price, so the dearest known one was charged. */
    readonly isUnpriced: boolean;
  };
  /** How its stream ended: `complete` or `broken`, and why. */
  readonly stream: { readonly status: string; readonly reason: string } | undefined;
  readonly priceVersion: string;
  readonly priceSource: string;
  readonly steps: readonly PriceStep[];
  /** The sum of the steps, an exact decimal, and that in whole units; undefined in older rows. */
  readonly sum: string | undefined;
  readonly units: number | undefined;
  readonly heldUnits: number | undefined;
  /** What prompt caches saved; negative if writing them cost more. */
  readonly savedUnits: number;
  /** The answer was cut off because the money was used up. */
  readonly isLimitedByQuota: boolean;
  /** The output limit sent to the upstream, if lower than requested. */
  readonly loweredTokens: number | undefined;
  /** Tokens by bucket; the buckets do not overlap. */
  readonly usage: Readonly<Record<string, number>>;
  readonly isEstimated: boolean;
  /** The upstream's report, if something else was charged. */
  readonly reported: { readonly prompt: number; readonly completion: number } | undefined;
  /** The hold of a call that a crash cut off. It was given back, though the upstream may have served the call; for admins. */
  readonly lostUnitsAtMost: number;
  /** Sound and pictures charged as text, because no price is set for them; for admins. */
  readonly soldAsText: readonly string[];
  /** What of it cost nothing, for admins. */
  readonly free: FreePart | undefined;
  readonly route: RouteFacts | undefined;
}

export const readCallFacts = (other: string): CallFacts => {
  const fields = readFields(other);
  const usage = objectOf(fields, 'usage') ?? {};
  const forAdmins = objectOf(fields, 'admin_info');
  return {
    ...rowFactsOf(fields),
    path: textOf(fields, 'request_path'),
    formats: textsOf(fields['request_conversion']),
    sessionId: textOf(fields, 'session'),
    reasoningEffort: textOf(fields, 'reasoning_effort'),
    service: readService(objectOf(fields, 'service'), objectOf(fields, 'asked_service')),
    stream: readStream(objectOf(fields, 'stream_status')),
    priceVersion: String(numberOf(fields, 'price_version') ?? textOf(fields, 'price_version')),
    priceSource: textOf(fields, 'price_source'),
    steps: listOf(fields['price_steps']).map(readStep),
    sum: textOf(fields, 'price_sum') || undefined,
    units: numberOf(fields, 'price_units'),
    heldUnits: numberOf(fields, 'hold_units'),
    savedUnits: numberOf(fields, 'cache_saved_units') ?? 0,
    isLimitedByQuota: fields['limited_by'] === 'quota',
    loweredTokens: numberOf(fields, 'max_tokens_lowered_to'),
    usage: readUsage(fields, usage),
    isEstimated: usage['estimated'] === true,
    reported: readReported(objectOf(fields, 'reported_usage')),
    route: readRoute(forAdmins),
    lostUnitsAtMost: numberOf(forAdmins ?? {}, 'house_loss_at_most') ?? 0,
    soldAsText: textsOf(forAdmins?.['sold_as_text']),
    free: readFree(objectOf(forAdmins ?? {}, 'free')),
  };
};

const readFree = (free: JsonFields | undefined): FreePart | undefined => {
  const of = free && (['tokens', 'calls', 'dollars'] as const).find((unit) => unit === free['of']);
  return of && free && { name: textOf(free, 'name'), of, amount: numberOf(free, 'amount') ?? 0 };
};

/** `unsent`: what was asked for, where something else was sent. */
const readService = (
  service: JsonFields | undefined,
  unsent: JsonFields | undefined,
): CallFacts['service'] => {
  const words = (terms: JsonFields | undefined): string =>
    ['tier', 'speed', 'place']
      .map((name) => (terms && textOf(terms, name)) ?? '')
      .filter(Boolean)
      .join(', ');
  const sent = words(service && objectOf(service, 'sent'));
  return {
    asked: unsent === undefined ? sent : `${words(unsent)} → ${sent || '—'}`,
    served: words(service && objectOf(service, 'served')),
    isUnpriced: textsOf(service?.['unpriced']).length > 0,
  };
};

const readReported = (fields: JsonFields | undefined): CallFacts['reported'] =>
  fields && {
    prompt: numberOf(fields, 'prompt_tokens') ?? 0,
    completion: numberOf(fields, 'completion_tokens') ?? 0,
  };

/** Rows of other systems have only audio and text buckets, under other names. */
const readUsage = (fields: JsonFields, usage: JsonFields): CallFacts['usage'] => {
  const buckets =
    Object.keys(usage).length > 0
      ? usage
      : {
          inputTokens: fields['text_input'],
          audioInputTokens: fields['audio_input'],
          outputTokens: fields['text_output'],
          audioOutputTokens: fields['audio_output'],
        };
  return Object.fromEntries(
    Object.entries(buckets).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
};

const listOf = (value: unknown): readonly JsonFields[] =>
  Array.isArray(value)
    ? value.filter((one): one is JsonFields => typeof one === 'object' && one !== null)
    : [];

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const readStep = (step: JsonFields): PriceStep => ({
  bucket: textOf(step, 'bucket'),
  count: numberOf(step, 'count') ?? 0,
  factors: readFactors(objectOf(step, 'factors') ?? {}),
  unitsEach: textOf(step, 'unitsEach'),
  units: textOf(step, 'units'),
});

const readFactors = (fields: JsonFields): PriceStep['factors'] =>
  Object.entries(fields).flatMap(([word, value]) => {
    const name = factorNames.find((known) => known === word);
    return name === undefined || typeof value !== 'string' ? [] : [{ name, value }];
  });

const readStream = (fields: JsonFields | undefined): CallFacts['stream'] =>
  fields && { status: textOf(fields, 'status'), reason: textOf(fields, 'end_reason') };

const readRoute = (info: JsonFields | undefined): RouteFacts | undefined => {
  if (info === undefined) return undefined;
  const decision = objectOf(info, 'decision') ?? {};
  const leftOut: unknown = decision['left_out'];
  return {
    attempts: listOf(info['attempts']).map((attempt) => ({
      channel: numberOf(attempt, 'channel') ?? 0,
      status: numberOf(attempt, 'status') ?? 0,
      ms: numberOf(attempt, 'ms') ?? 0,
      error: textOf(attempt, 'error'),
      atMs: numberOf(attempt, 'at'),
      connectMs: numberOf(attempt, 'connect'),
      headMs: numberOf(attempt, 'head'),
      race: textOf(attempt, 'race'),
    })),
    group: textOf(decision, 'group'),
    isCoolingTaken: decision['cooling_taken'] === true,
    isRetryRefused: info['retries_refused'] === true,
    stages: readStages(objectOf(info, 'stages')),
    queued: readQueued(objectOf(info, 'queued')),
    session: readSession(objectOf(info, 'session')),
    leftOut: Array.isArray(leftOut)
      ? leftOut
          .filter((pair): pair is [unknown, unknown] => Array.isArray(pair))
          .map(([channel, reason]) => ({ channel: Number(channel), reason: String(reason) }))
      : undefined,
  };
};

const readQueued = (fields: JsonFields | undefined): QueuedFacts | undefined =>
  fields && {
    channel: numberOf(fields, 'channel') ?? 0,
    position: numberOf(fields, 'position') ?? 0,
    waitMs: numberOf(fields, 'wait_ms') ?? 0,
  };

const readStages = (fields: JsonFields | undefined): Stages | undefined =>
  fields && {
    readMs: numberOf(fields, 'read') ?? 0,
    holdMs: numberOf(fields, 'hold'),
    lastMs: numberOf(fields, 'last'),
  };
