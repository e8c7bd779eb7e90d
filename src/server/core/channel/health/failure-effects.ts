import type { AppError } from '../../error.ts';
import { keyVerdict } from '../keys/key-verdict.ts';
import { countsAgainstChannel, isRedirect } from './blame.ts';

/**
 * What a failure does to the health of one thing:
 * - `rest`: it is avoided for a few seconds;
 * - `count`: it failed once more; whatever stands for several models or keys cools only after enough of them failed;
 * - `count_for_all`: it failed, and cools at once whichever of its models failed;
 * - `share`: the failure counts for its share of failures, but not for a row of them.
 */
export type Effect = 'rest' | 'count' | 'count_for_all' | 'share';

/** What a failure does to each thing that the call used. What is not named keeps its health. */
export interface FailureEffects {
  readonly modelAtKey?: Effect;
  /** The model with any key. */
  readonly model?: Effect;
  readonly key?: Effect;
  readonly channel?: Effect;
  /** The failure cost its caller a long wait. */
  readonly isCostly?: true;
  /** It may be about the call itself, so one user's calls alone prove nothing to others. */
  readonly isOfOneCall?: true;
}

/** In a channel with a single key, `modelAtKey` is the model and `key` is the channel; the other two are left out. */
const EFFECTS = {
  refusedKey: { key: 'rest' },
  refusedOnlyKey: { key: 'count_for_all' },
  limitedKey: { modelAtKey: 'rest' },
  refusedModelAtKey: { modelAtKey: 'count' },
  deniedModelAtKey: { modelAtKey: 'count', isOfOneCall: true },
  refusedModel: { modelAtKey: 'count', model: 'count', isOfOneCall: true },
  unready: { modelAtKey: 'count', model: 'count', key: 'share', channel: 'share' },
  serverError: { modelAtKey: 'count', model: 'count', key: 'share', channel: 'share', isOfOneCall: true },
  unreachable: { modelAtKey: 'count', model: 'count', key: 'count', channel: 'count', isCostly: true },
  unreachableByKey: { modelAtKey: 'count', model: 'share', key: 'count', channel: 'share', isCostly: true },
} as const satisfies Record<string, FailureEffects>;

/** Statuses of a gateway that cannot reach its server. */
export const NOBODY_THERE: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524, 525, 526, 530]);

/** Statuses of upstreams that accept no calls of this kind, whatever a call asks for. */
export const NOT_TAKEN: ReadonlySet<number> = new Set([405, 407, 410, 426, 501]);

const OVERLOADED: ReadonlySet<number> = new Set([503, 529]);

/** Whether the upstream accepts no calls at present, whatever they ask for. */
const isUnready = ({ code, upstream }: AppError, status: number): boolean =>
  code === 'unavailable' ||
  upstream?.isPage === true ||
  OVERLOADED.has(status) ||
  NOT_TAKEN.has(status) ||
  isRedirect(status);

/** Whose fault a refusal was: the channel's, or only its key's. */
export type BlamedFor = 'channel' | 'key';

/** The seat at which a call failed. */
export interface FailedAt {
  /** Its channel has several keys. */
  readonly isOneOfSeveral: boolean;
  /** Another key of the channel has answered a later call. */
  readonly hasOtherAnswered: boolean;
  /** Set if its refusal was found to be wrong: another channel, or another key of this one, has answered the call. */
  readonly blamedFor?: BlamedFor | undefined;
}

/** What a failure does to the health of a seat; undefined if it says nothing about it, like a mistake of the caller. */
export const failureEffects = (
  error: AppError,
  { isOneOfSeveral, hasOtherAnswered, blamedFor }: FailedAt,
): FailureEffects | undefined => {
  if (blamedFor !== undefined) return blamedFor === 'key' ? EFFECTS.deniedModelAtKey : EFFECTS.refusedModel;
  const status = error.upstream?.status;
  const isUnreachable = status === undefined || NOBODY_THERE.has(status);
  const verdict = keyVerdict(error);
  const isRefusedKey = !isUnreachable && (verdict === 'revoked' || verdict === 'spent');
  if (isRefusedKey && isOneOfSeveral) return EFFECTS.refusedKey;
  if (!countsAgainstChannel(error)) return undefined;
  if (isRefusedKey) return EFFECTS.refusedOnlyKey;
  // If the upstream named a time, the failure counts, because a counted failure cools for exactly that time.
  const hasTime = error.retryAfterSeconds !== undefined;
  if (verdict === 'limited' && isOneOfSeveral && !hasTime) return EFFECTS.limitedKey;
  if (isUnreachable) return hasOtherAnswered ? EFFECTS.unreachableByKey : EFFECTS.unreachable;
  if (verdict === 'denied') return EFFECTS.deniedModelAtKey;
  if (verdict !== undefined) return EFFECTS.refusedModelAtKey;
  if (isUnready(error, status)) return EFFECTS.unready;
  return status >= 500 ? EFFECTS.serverError : EFFECTS.refusedModel;
};
