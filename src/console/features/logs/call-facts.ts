import { toolNames } from './bucket-names.ts';
import { type JsonFields, numberOf, objectOf, readFields, textOf } from './json-fields.ts';

/** One line of a price worked out: so many tokens at so many units each, exact decimals as text. */
export interface PriceStep {
  readonly bucket: string;
  readonly count: number;
  readonly unitsEach: string;
  readonly units: string;
}

export interface Attempt {
  readonly channel: number;
  /** What the upstream answered; 0 when it did not. */
  readonly status: number;
  readonly ms: number;
  readonly error: string;
}

export interface LeftOut {
  readonly channel: number;
  readonly reason: string;
}

/** What only admins are told: where the call went, and why. */
export interface RouteFacts {
  readonly chain: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly group: string;
  readonly isCoolingTaken: boolean;
  readonly leftOut: readonly LeftOut[];
}

export interface Ratios {
  readonly model: number | undefined;
  readonly completion: number | undefined;
  readonly cache: number | undefined;
  readonly createCache: number | undefined;
  readonly image: number | undefined;
  readonly audio: number | undefined;
  readonly audioCompletion: number | undefined;
  readonly imageCompletion: number | undefined;
  readonly group: number | undefined;
  /** The special ratio of this user's group for the group that paid; undefined where there is none. */
  readonly userGroup: number | undefined;
  /** US dollars for one call; undefined where the model is priced by tokens. */
  readonly perCall: number | undefined;
  /** US dollars for a thousand calls of each tool that the upstream ran itself. */
  readonly tools: Readonly<Record<string, number>>;
}

/** The `other` of a log row, read. Anything may be missing: rows of other versions and systems are shown as well. */
export interface CallFacts {
  readonly firstTokenMs: number | undefined;
  readonly path: string;
  /** Its caller's format, and the upstream's where that is another; empty where it is not told. */
  readonly formats: readonly string[];
  readonly upstreamModel: string;
  readonly reasoningEffort: string;
  /** How its stream ended: `complete` or `broken`, and why. */
  readonly stream: { readonly status: string; readonly reason: string } | undefined;
  readonly cachedTokens: number;
  readonly ratios: Ratios;
  readonly priceVersion: string;
  readonly priceSource: string;
  readonly steps: readonly PriceStep[];
  readonly heldUnits: number | undefined;
  /** Tokens by bucket; the buckets do not overlap. */
  readonly usage: Readonly<Record<string, number>>;
  readonly isEstimated: boolean;
  readonly error: { readonly type: string; readonly code: string; readonly status: number } | undefined;
  readonly route: RouteFacts | undefined;
}

/** −1 stands for "none" in the family's rows. */
const ratio = (fields: JsonFields, name: string): number | undefined => {
  const value = numberOf(fields, name);
  return value === undefined || value < 0 ? undefined : value;
};

export const readCallFacts = (other: string): CallFacts => {
  const fields = readFields(other);
  const firstTokenMs = numberOf(fields, 'frt');
  const usage = objectOf(fields, 'usage') ?? {};
  return {
    firstTokenMs: firstTokenMs === undefined || firstTokenMs < 0 ? undefined : firstTokenMs,
    path: textOf(fields, 'request_path'),
    formats: textsOf(fields['request_conversion']),
    upstreamModel: fields['is_model_mapped'] === true ? textOf(fields, 'upstream_model_name') : '',
    reasoningEffort: textOf(fields, 'reasoning_effort'),
    stream: readStream(objectOf(fields, 'stream_status')),
    cachedTokens: numberOf(fields, 'cache_tokens') ?? 0,
    ratios: {
      model: ratio(fields, 'model_ratio'),
      completion: ratio(fields, 'completion_ratio'),
      cache: ratio(fields, 'cache_ratio'),
      createCache: ratio(fields, 'cache_creation_ratio'),
      image: ratio(fields, 'image_ratio'),
      audio: ratio(fields, 'audio_ratio'),
      audioCompletion: ratio(fields, 'audio_completion_ratio'),
      imageCompletion: ratio(fields, 'image_completion_ratio'),
      group: ratio(fields, 'group_ratio'),
      userGroup: ratio(fields, 'user_group_ratio'),
      perCall: ratio(fields, 'model_price'),
      tools: toolPrices(fields),
    },
    priceVersion: String(numberOf(fields, 'price_version') ?? textOf(fields, 'price_version')),
    priceSource: textOf(fields, 'price_source'),
    steps: listOf(fields['price_steps']).map(readStep),
    heldUnits: numberOf(fields, 'hold_units'),
    usage: readUsage(fields, usage),
    isEstimated: usage['estimated'] === true,
    error: readError(fields),
    route: readRoute(objectOf(fields, 'admin_info')),
  };
};

/** The family's rows name the price of a tool in a field of its own. */
const toolPrices = (fields: JsonFields): Ratios['tools'] =>
  Object.fromEntries(
    Object.keys(toolNames).flatMap((tool) => {
      const price = ratio(fields, `${tool}_price`);
      return price === undefined ? [] : [[tool, price]];
    }),
  );

/** Rows of other systems split only sound from text, under names of their own. */
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
  unitsEach: textOf(step, 'unitsEach'),
  units: textOf(step, 'units'),
});

const readStream = (fields: JsonFields | undefined): CallFacts['stream'] =>
  fields && { status: textOf(fields, 'status'), reason: textOf(fields, 'end_reason') };

const readError = (fields: JsonFields): CallFacts['error'] => {
  const code = textOf(fields, 'error_code');
  const type = textOf(fields, 'error_type');
  return code === '' && type === ''
    ? undefined
    : { code, type, status: numberOf(fields, 'status_code') ?? 0 };
};

const readRoute = (info: JsonFields | undefined): RouteFacts | undefined => {
  if (info === undefined) return undefined;
  const decision = objectOf(info, 'decision') ?? {};
  const chain = Array.isArray(info['use_channel']) ? info['use_channel'].map(String) : [];
  const leftOut = Array.isArray(decision['left_out']) ? decision['left_out'] : [];
  return {
    chain,
    attempts: listOf(info['attempts']).map((attempt) => ({
      channel: numberOf(attempt, 'channel') ?? 0,
      status: numberOf(attempt, 'status') ?? 0,
      ms: numberOf(attempt, 'ms') ?? 0,
      error: textOf(attempt, 'error'),
    })),
    group: textOf(decision, 'group'),
    isCoolingTaken: decision['cooling_taken'] === true,
    leftOut: leftOut
      .filter((pair): pair is [unknown, unknown] => Array.isArray(pair))
      .map(([channel, reason]) => ({ channel: Number(channel), reason: String(reason) })),
  };
};
