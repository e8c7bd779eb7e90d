import type { OptionValues } from '#contract/options.ts';
import type { Delivery } from '#core/delivery.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Operation } from '#core/operation.ts';
import type { Dialect, Egress, Wire } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';

export interface Address {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a provider needs to know of a call to address it. */
export interface Addressed {
  readonly operation: Operation;
  /** The upstream's name of the model, after mapping. */
  readonly model: string;
  readonly stream: boolean;
  /** The format a chat is sent in: the name of `dialect`, or of one of `natives`. Not given: `dialect`'s. */
  readonly dialect?: string;
  /** The body is the caller's own, in its own format: only what the upstream would refuse is changed in it. */
  readonly isRepeated?: boolean;
  /** What operators set for families of models. Not given: the defaults. */
  readonly options?: OptionValues;
  /** The caller's headers, lower-case names: some kinds pass a few of them on. */
  readonly callerHeaders?: Readonly<Record<string, string | string[] | undefined>>;
}

/** An upstream kind: which dialect it speaks, where it is, how it is addressed, how it differs. */
export interface Provider extends Delivery {
  /** The format of its chat; other operations repeat the caller's bytes. */
  readonly dialect: Egress;
  /**
   * Where the format depends on the model (the upstream's name of it) or on the channel's key: this one, in place of the
   * two fields beside. Undefined for those that they hold for.
   */
  dialectFor?(model: string, channel: Channel): Egress | undefined;
  /**
   * One of its other formats, where a model can do more in it than in `dialect`, or is only there: for callers of the
   * format that is named, who are converted. A channel that turns out to lack it is asked in `dialect`.
   */
  betterFor?(model: string, caller: string): Egress | undefined;
  /** Other chat formats this kind speaks as well: their callers' bytes are repeated, `address` is told which it is. */
  readonly natives?: readonly Dialect[];
  readonly operations: readonly Operation[];
  /** Those whose form this kind reads as JSON: `adjust` finds the files in memory, and leaves `$files` out. */
  readonly formsAsJson?: readonly Operation[];
  /** What this kind reads is never a body of the format alone: `adjust` is asked also where bodies are passed through. */
  readonly hasOwnEnvelope?: true;
  address(channel: Channel, call: Addressed): Address;
  /** Small differences from the dialect in the body that is sent. */
  adjust?(
    body: Readonly<Record<string, unknown>>,
    call: Addressed,
    channel: Channel,
  ): Readonly<Record<string, unknown>>;
  /** Default: server-sent events. What comes out holds server-sent events in its `raw`. */
  frames?(bytes: AsyncIterable<Buffer>): AsyncIterable<Frame>;
  /** A whole answer that is no chat, in the format of its caller, who asked for `asked`; default: as it came. */
  readReply?(body: unknown, call: Addressed, asked: Readonly<Record<string, unknown>>): unknown;
  /** Model names in the answer to the `models` operation; default: OpenAI's list. */
  readModels?(body: unknown): string[];
  /** Reads whatever error body this upstream writes; default: the dialect's. */
  readError?: Wire['readError'];
}
