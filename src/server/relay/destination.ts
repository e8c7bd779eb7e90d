import type { Channel } from '#core/channel/channel.ts';
import type { Patience } from '#core/channel/health/patience.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { UpstreamFormat } from './request/format.ts';
import type { Upstream } from '../dialects/upstream.ts';
import type { RelayDeps } from './ports.ts';

/** A channel chosen for an attempt. */
export interface Chosen {
  readonly decision: Decision;
  readonly channel: Channel;
  /** What no answer may contain: the channel's key, and the credentials sent with the request. */
  readonly secrets: Secrets;
}

/** Where an attempt is sent. */
export interface Destination extends Chosen {
  readonly upstream: Upstream;
  /** Undefined until the upstream's format and address are chosen. */
  readonly sentAs?: SentAs;
}

/** The upstream's format, model and settings for this call. */
export interface SentAs {
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  readonly format: UpstreamFormat;
  readonly patience: Patience;
  /** The reasoning effort sent to the model, if any. */
  readonly effort?: string | undefined;
  /** The tier, speed and place it asked for. */
  readonly terms?: ServiceTerms | undefined;
  /** Messages and tools were sent in other places than in the caller's body. */
  readonly movesPlaces?: boolean | undefined;
}

/** The key of a pool that an attempt was made with. */
export interface AttemptKey {
  readonly id: number;
  /** What administrators call it. */
  readonly name: string;
}

/** One attempt at one channel, as the log shows it. */
export interface Attempt {
  readonly channelId: number;
  /** Which of the channel's keys, if it has several. */
  readonly key?: AttemptKey | undefined;
  /** The upstream's status; 0 if there was none. */
  readonly status: number;
  readonly durationMs: number;
  /** Empty on success. */
  readonly error: string;
  /** Monotonic. */
  readonly startedMs: number;
  /**
   * Milliseconds from its start until its request had a connection, and until the head of the answer arrived; undefined
   * if it did not.
   */
  readonly connectMs: number | undefined;
  readonly headMs: number | undefined;
  /** How it ended against another attempt that ran at the same time. */
  readonly race: 'won' | 'lost' | undefined;
}

/** The attempts of a call so far. */
export interface Tried {
  /** The latest attempt, or the one that answered. */
  readonly attempt: { readonly destination: Chosen } | undefined;
  readonly attempts: readonly Attempt[];
  /** Why no channel could be chosen. */
  readonly undecided?: Decision | undefined;
}

/** A chosen channel with its kind of upstream. */
export const destinationOf = ({ upstreamOf }: Pick<RelayDeps, 'upstreamOf'>, chosen: Chosen): Destination => {
  const { type } = chosen.channel;
  const upstream = upstreamOf(type);
  if (upstream === undefined)
    throw new Error(`a channel of type ${String(type)} was chosen, which is unknown`);
  return { ...chosen, upstream };
};
