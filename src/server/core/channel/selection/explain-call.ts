import type { ChoicePolicy } from '#contract/channel/choice.ts';
import type { AppError } from '../../error.ts';
import type { Token } from '../../token/token.ts';
import type { User } from '../../user/user.ts';
import type { ExplainedChannel } from './explain-selection.ts';
import type { Wish } from './select.ts';
import type { SampleCall } from '../sample-call.ts';

/** A sample call, and its caller. */
export interface SampleAsk extends SampleCall {
  readonly user: User;
  readonly token: Token | undefined;
  /** The session's id as shown in the log; if undefined, the session is derived from headers and body. */
  readonly sessionId: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A channel that lists the model, with its result for this call. */
export interface ExplainedOffer extends Omit<ExplainedChannel, 'channel'> {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly status: number;
  readonly priority: number;
  readonly weight: number;
  readonly upstreamModel: string;
  /** How many override rules of the channel apply to the call. */
  readonly rules: number;
  /** What the call would cost the operator, in billionths of a US dollar; undefined if not known. */
  readonly costNano: number | undefined;
  /** The number of all its keys; only the most likely of many are listed. */
  readonly keyCount: number;
}

/** What would become of a call: its groups, its price, and which channels it may get. */
export interface ExplainedCall {
  /** The model after aliases, and the name in the request if an alias applied. */
  readonly model: string;
  readonly askedModel: string | undefined;
  /** The groups it may use, in order, and the one it would use. */
  readonly groups: readonly string[];
  readonly group: string;
  /** Why it is refused before a channel is chosen. */
  readonly refusal: AppError | undefined;
  readonly coolingTaken: boolean;
  /** How one of the open channels is chosen. */
  readonly policy: ChoicePolicy;
  /** What identified its session, and where that was answered last; undefined if it has none. */
  readonly session: { readonly from: string; readonly wish: Wish | undefined } | undefined;
  /** What it would cost its caller; undefined if it has no price. */
  readonly quotaUnits: number | undefined;
  /** The most likely first. */
  readonly channels: readonly ExplainedOffer[];
  readonly total: number;
}

/** Throws the error a caller would get for the request itself. */
export type ExplainCall = (ask: SampleAsk) => ExplainedCall;
