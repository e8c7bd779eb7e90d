import type { sampleOperations } from '#contract/sample-calls.ts';
import type { DialectName } from '../chat/request.ts';
import type { Fields } from '../json/fields.ts';
import type { Channel } from './channel.ts';

/** A call that is not made: only its result is predicted, and nothing changes. */
export interface SampleCall {
  readonly operation: (typeof sampleOperations)[number];
  readonly dialect: DialectName;
  /** Used if the body names no model. */
  readonly model: string;
  readonly stream: boolean;
  /** The group whose price applies. */
  readonly group: string;
  /** The caller's headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Fields;
}

/** The request that would be sent to a channel. Credentials are replaced by stars. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 16 KB. */
  readonly body: string;
  readonly format: string;
  /** The model for groups and prices, after aliases. */
  readonly model: string;
  readonly upstreamModel: string;
  /** How many override rules of the channel apply. */
  readonly rules: number;
  /** Whether further headers or a token are added when the request is sent. */
  readonly isSignedLater: boolean;
}

/** Throws the error a caller would get if the channel cannot take the call. */
export type PreviewRequest = (channel: Channel, sample: SampleCall) => PreviewedRequest;
