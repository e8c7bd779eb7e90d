import type { KeptResponse } from '#core/kept/kept-response.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import type { AppError } from '#core/error.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import type { Reference } from '../../dialects/openai-responses/references.ts';
import type { Form } from '../../dialects/form/form.ts';

/** The caller, as far as the relay needs to know. */
export interface Caller {
  readonly user: User;
  /** Undefined in the playground. */
  readonly token: Token | undefined;
  /** The channel an administrator named in the key. */
  readonly channelId: number | undefined;
}

/** What the caller asks for. */
export interface CallerRequest {
  readonly facts: RequestFacts;
  /** The body as it arrived, and parsed; a form has no bytes. */
  readonly bytes: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** The parsed body, with what the path says added. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The body cannot be sent unchanged, because a field of ours was removed or added. */
  readonly changed: boolean;
  /** The format has its model in the path, so none is written into the body. */
  readonly modelInPath: boolean;
  /** It may contain signatures that upstreams of other formats made. */
  readonly hasForeignSignatures: boolean;
  /** The group chosen in the playground; empty for none. */
  readonly group: string;
  /** The body, if it is a form. */
  readonly form?: Form;
  /** Set if another thread parsed it: `body` and `fields` then have only its short fields. */
  readonly far?: FarRequest;
}

/** A form that has not arrived completely. */
export interface LateForm {
  /** Resolves once the form is complete and its last piece may be sent; rejects if it must not be. */
  whole: Promise<void>;
  /** The complete request, once it has arrived. */
  request: CallerRequest | undefined;
}

/** One way to write a request: for a channel, in a format. */
export interface WriteTerms {
  /** The model asked for, aliases resolved. */
  readonly model: string;
  readonly channel: Channel;
  /** The name of the format. */
  readonly format: string;
  readonly isUnsigned: boolean;
  readonly omitsTools: boolean;
  readonly outputLimit?: number | undefined;
  readonly stripsTerms: boolean;
  /** The channel's rules that apply to this call. */
  readonly overrides?: readonly Override[];
}

/** What a chat continues from, and the channel that keeps it if it was made through us. */
export interface Continuation extends Reference {
  readonly kept: KeptResponse | undefined;
}

/** The usage to assume for an answer that reports none: for what was asked, and for one picture. */
export interface AssumedUsage {
  readonly asAsked: Usage;
  readonly ofOnePicture: Usage;
}

/** What this thread knows of a request whose body is parsed in another thread. */
export interface FarRequest {
  /** The sensitive word it has. */
  readonly word: string | undefined;
  readonly references: readonly Reference[];
  /** Whether it asks for nothing that is kept, drawn or has side effects. */
  readonly hasNoEffects: boolean;
  /** The beginning of its prompt, which identifies its session. */
  readonly promptHead: string | undefined;
  /** Undefined for formats whose answers always report their usage, or whose text is counted. */
  readonly assumed: AssumedUsage | undefined;
  /** The request in our internal form, without its messages; set once it was converted. */
  readonly chatRequest: ChatRequest | undefined;
  /** Why it cannot be expressed this way; undefined if it can, or if `learn` has to ask first. */
  refusal(terms: WriteTerms): AppError | undefined;
  /** Asks the other thread for what was missing; returns false if nothing was. */
  learn(): Promise<boolean>;
  /** How many tokens the prompt surely has less than its estimate says. */
  spareTokens(): Promise<number>;
  /** The body to send under this model name. */
  bodyFor(terms: WriteTerms, upstreamModel: string, options: OptionValues): Promise<WrittenBody>;
}

/** A body that was written in another thread. */
export interface WrittenBody {
  /** Undefined if it goes out unchanged. */
  readonly body: Buffer | string | undefined;
  /** The reasoning effort sent to the model, if any. */
  readonly effort: string | undefined;
  /** The tier, speed and place it asks for. */
  readonly terms: ServiceTerms | undefined;
  /** Messages and tools have other places than in the caller's body. */
  readonly movesPlaces: boolean;
}
