import type { sampleOperations } from '#contract/sample-calls.ts';
import type { DialectName } from '../chat/request.ts';
import type { Fields } from '../json/fields.ts';
import type { Channel } from './channel.ts';

/** A call that is not made: it is worked out what would become of it, and nothing changes. */
export interface SampleCall {
  readonly operation: (typeof sampleOperations)[number];
  readonly dialect: DialectName;
  /** Where the body names none. */
  readonly model: string;
  readonly stream: boolean;
  /** The group that pays. */
  readonly group: string;
  /** The caller's, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Fields;
}

/** The request that would go out to a channel. Nothing in it proves who sends it: stars stand there. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 16 KB. */
  readonly body: string;
  readonly format: string;
  /** As it counts for groups and prices, aliases resolved. */
  readonly model: string;
  readonly upstreamModel: string;
  /** How many rules of the channel hold for it. */
  readonly rules: number;
  /** Further headers, or a token, are made when it is sent. */
  readonly isSignedLater: boolean;
}

/** Throws what a caller would be told if the channel cannot take the call. */
export type PreviewRequest = (channel: Channel, sample: SampleCall) => PreviewedRequest;
