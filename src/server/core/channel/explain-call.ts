import type { ChoicePolicy } from '#contract/choice.ts';
import type { AppError } from '../error.ts';
import type { Token } from '../token/token.ts';
import type { User } from '../user/user.ts';
import type { ExplainedChannel } from './explain-selection.ts';
import type { Wish } from './select.ts';
import type { SampleCall } from './sample-call.ts';

/** A call that nobody made, of somebody. */
export interface SampleAsk extends SampleCall {
  readonly user: User;
  readonly token: Token | undefined;
  /** Its session by its id, as rows of the log have it; undefined: what headers and body name. */
  readonly sessionId: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A channel that lists the model, as it would be for this call. */
export interface ExplainedOffer extends Omit<ExplainedChannel, 'channel'> {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly status: number;
  readonly priority: number;
  readonly weight: number;
  readonly upstreamModel: string;
  /** How many rules of the channel hold for the call. */
  readonly rules: number;
  /** What it would cost the operator, in billionths of a US dollar; undefined if that is not known. */
  readonly costNano: number | undefined;
  /** Of all its keys, if there are many. */
  readonly keyCount: number;
}

export interface ExplainedCall {
  /** As it counts, and the caller's name where an alias stands for it. */
  readonly model: string;
  readonly askedModel: string | undefined;
  /** The groups it may pay with, in order, and the one it would. */
  readonly groups: readonly string[];
  readonly group: string;
  /** Why it is refused before a channel is looked for. */
  readonly refusal: AppError | undefined;
  readonly coolingTaken: boolean;
  /** By what one of the open channels is taken. */
  readonly policy: ChoicePolicy;
  /** What told its session, and where that was answered last; undefined where it has none. */
  readonly session: { readonly from: string; readonly wish: Wish | undefined } | undefined;
  /** What it would cost its caller; undefined if it has no price. */
  readonly quotaUnits: number | undefined;
  /** The likeliest first. */
  readonly channels: readonly ExplainedOffer[];
  readonly total: number;
}

/** Throws what a caller would be told of the request itself. */
export type ExplainCall = (ask: SampleAsk) => ExplainedCall;
