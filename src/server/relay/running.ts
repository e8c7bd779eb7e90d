import type { Decision } from '#core/channel/select.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';
import type { Price } from '#core/quota/price.ts';
import type { Token } from '#core/token/token.ts';
import type { ReplyReader } from '#core/words/check-reply.ts';
import type { User } from '#core/user/user.ts';
import type { Dialect, RequestFacts, Wire } from '../dialects/dialect.ts';
import type { Form } from '../dialects/form.ts';
import type { UpstreamFormat } from './format.ts';
import { FormatGaps } from './format-gaps.ts';
import type { GoesOn } from './kept/find-kept.ts';
import { JsonArrayWriter } from '../dialects/gemini/json-array.ts';
import { type Meter, newMeter } from './meter.ts';
import type { RelayCall } from './ports.ts';

/** Who calls, as far as the relay needs to know. */
export interface Caller {
  readonly user: User;
  /** Undefined in the playground. */
  readonly token: Token | undefined;
  /** The channel an administrator named in the key. */
  readonly channelId: number | undefined;
}

/** What the caller asked for. */
export interface Asked {
  readonly facts: RequestFacts;
  /** The body as it came, and what it says. */
  readonly bytes: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body with what the path says in its place. */
  readonly told: Readonly<Record<string, unknown>>;
  /** The body does not go out as it came: a field of ours was taken out or put in. */
  readonly changed: boolean;
  /** The format has its model in the path, so none is put into the body. */
  readonly modelInPath: boolean;
  /** It may bring back signatures that upstreams of other formats made. */
  readonly hasForeignSignatures: boolean;
  /** The body, where it is a form. */
  readonly form?: Form;
}

/** One try at one channel. */
export interface Attempt {
  readonly channelId: number;
  /** The status the upstream gave; 0 when it gave none. */
  readonly status: number;
  readonly durationMs: number;
  readonly error: string;
}

const NO_GAPS = new FormatGaps();

/** One call while it runs: what its steps leave for the steps after them. */
export class Running {
  readonly call: RelayCall;
  readonly wire: Wire | Dialect;
  readonly routing: Routing;
  readonly createdAtMs: number;
  /** Monotonic, as are all other times here. */
  readonly startedMs: number;
  readonly abort = new AbortController();
  caller: Caller | undefined;
  asked: Asked | undefined;
  /** The group that pays: of `auto` the one it came out as. */
  group = '';
  price: Price | undefined;
  heldUnits = 0;
  isHeld = false;
  /** What a tool draws in the middle of its answer: a call of its own, paid beside it. */
  pictures: Running | undefined;
  /** It is such a call: where nothing was drawn it is no failure, and nobody's row. */
  isBeside = false;
  isClosed = false;
  decision: Decision | undefined;
  channel: Channel | undefined;
  upstreamModel = '';
  /** The response is made while nobody waits: `background: true`. */
  isBackground = false;
  /** It is known which response a stream shows. */
  isTaken = false;
  /** The response outlives the call: its hold is closed when it ends. */
  isLeft = false;
  /** What an upstream keeps that this call goes on from. */
  goesOn: GoesOn | undefined;
  /** What the upstream of the running attempt is spoken with. */
  format: UpstreamFormat;
  /** What channels of kinds that speak the caller's format have turned out not to. */
  gaps = NO_GAPS;
  /** The request in our own words, once something had to be converted. */
  read: ChatRequest | undefined;
  /** It goes out without seals: an upstream has refused those of earlier turns. */
  isUnsealed = false;
  /** It in other formats, as far as they can say it. */
  readonly written = new Map<UpstreamFormat, Map<string, Readonly<Record<string, unknown>> | AppError>>();
  /** A stream written as one JSON list; undefined for events. */
  readonly list: JsonArrayWriter | undefined;
  attempts: Attempt[] = [];
  meter: Meter = newMeter();
  /** A whole reply as it was read, where nothing tells what it used. */
  reply: object | undefined;
  firstByteMs: number | undefined;
  /** Looks for words a reply may not have; throws where it has one. Undefined where replies are not checked. */
  checkReply: ReplyReader | undefined;
  /** Why it was ended from outside: the server stops, the caller reads too slowly. */
  stopped: AppError | undefined;
  /** What it ended with, where it did not end well. */
  failure: AppError | undefined;
  /** Comments may be sent while the upstream thinks; undefined where they may not. */
  pingEveryMs: number | undefined;
  lastWriteMs = 0;
  /** More was written than the caller has read. */
  isFull = false;
  /** Waiting for the caller to read, since then. */
  stalledSinceMs: number | undefined;
  /** In the middle of an event that is repeated in pieces. */
  insideEvent = false;
  checkpointMs = 0;
  checkpointBytes = 0;

  constructor(
    call: RelayCall,
    wire: Wire | Dialect,
    routing: Routing,
    createdAtMs: number,
    startedMs: number,
  ) {
    this.call = call;
    this.wire = wire;
    this.format = wire;
    this.list = call.framing === 'list' ? new JsonArrayWriter() : undefined;
    this.routing = routing;
    this.createdAtMs = createdAtMs;
    this.startedMs = startedMs;
  }

  /** From now on comments may keep the stream open, where the operator wants that. */
  allowPings(nowMs: number): void {
    const { options } = this.routing;
    this.lastWriteMs = nowMs;
    if (!options['general_setting.ping_interval_enabled']) return;
    this.pingEveryMs = options['general_setting.ping_interval_seconds'] * 1000;
  }

  /** The key of the channel that answers, as bytes: no answer may repeat it. */
  get secret(): Buffer {
    return Buffer.from(known(this.channel, 'choose').key.reveal());
  }

  /** Ends the call from outside: the upstream is let go, and whoever waits for it gets `why`. */
  stop(why: AppError): void {
    this.stopped ??= why;
    this.abort.abort();
  }
}

/** The value of a step that is known to have run. */
export const known = <Value>(value: Value | undefined, step: string): Value => {
  if (value === undefined) throw new Error(`the step before has not run: ${step}`);
  return value;
};
