import type { Routing } from '#core/channel/routing.ts';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import type { Price } from '#core/quota/price.ts';
import type { ReplyReader } from '#core/words/check-reply.ts';
import type { Dialect, RequestFacts, Wire } from '../dialects/dialect.ts';
import type { Answer } from './answer/answer.ts';
import type { Live } from './live.ts';
import type { RelayCall } from './calls.ts';
import type { Caller, CallerRequest, Continuation, LateForm } from './request/request.ts';
import type { Session } from './request/session-of.ts';
import type { Translations } from './request/translations.ts';
import type { SentAs, Destination } from './destination.ts';

/*
 * The stages of a call, in order. Each step returns the next stage, which extends the ones before it, so that a step
 * can only read what is already known. Everything mutable is in `live`.
 */

/** A call has come in; nothing has been read. */
export interface Begun {
  readonly call: RelayCall;
  /** The caller's format. */
  readonly wire: Wire | Dialect;
  readonly routing: Routing;
  readonly createdAtMs: number;
  /** Monotonic, like all other times here. */
  readonly startedMs: number;
  /** Billed beside another call's answer: if it produces nothing, that is no failure and leaves no log row. */
  readonly isSideCall: boolean;
  readonly live: Live;
}

/** The caller is authenticated and the request is read. */
export interface Asked extends Begun {
  readonly caller: Caller;
  readonly request: CallerRequest;
  readonly translations: Translations;
}

/** The caller is allowed to make the call, and some channel can take it. */
export interface Admitted extends Asked {
  /** The group that pays; `auto` is already resolved. */
  readonly group: string;
  /** Optional tools are left out, because no channel supports all of them. */
  readonly omitsTools: boolean;
  /** The group's calls are sent without the tier, speed or place they ask for. */
  readonly stripsTerms: boolean;
  /** The kept response or conversation it continues, if any. */
  readonly continuation: Continuation | undefined;
  /** The session it belongs to, if it may be bound to a seat. */
  readonly session: Session | undefined;
  /** Whether it may be retried on another channel although the first may have executed it. */
  readonly canRepeat: boolean;
  /** The rest of a form that is forwarded while it is still arriving. */
  readonly lateForm: LateForm | undefined;
}

/** The most it may cost is held. */
export interface Held extends Admitted {
  readonly price: Price;
  readonly heldUnits: number;
  /** The most tokens an answer may have, sent to the upstream if the quota pays for no more. */
  readonly outputLimit: number | undefined;
  /** A second hold for pictures a tool may draw during the answer, billed as its own call. */
  readonly pictures: Held | undefined;
}

/** An upstream has accepted a request: the response headers have arrived. */
export interface Accepted extends Destination, SentAs {
  readonly reply: OutboundReply;
}

/** An admitted call that an upstream has accepted. It has a hold, unless it tests a channel. */
export interface Sent extends Admitted, Accepted {}

/** What reading an answer needs of its call, or of the part of the call that another thread has. */
export interface ReplyContext
  extends Pick<SentAs, 'format' | 'upstreamModel'>, Pick<Begun, 'wire' | 'createdAtMs'> {
  readonly call: Pick<RelayCall, 'requestId'>;
  readonly request: { readonly facts: Pick<RequestFacts, 'model' | 'inputTokensEstimate'> };
  readonly translations: Pick<Translations, 'chatRequest'>;
}

/** An upstream has something for the caller: a whole reply, or the first event of a stream. */
export interface Given extends Accepted {
  readonly answer: Answer;
  /** Throws if a reply has a sensitive word; undefined if replies are not checked. */
  readonly checkReply: ReplyReader | undefined;
}

/** The held call that an upstream has something for. */
export interface Answered extends Held, Given {}
