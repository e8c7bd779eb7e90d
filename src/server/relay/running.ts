import type { Decision } from '#core/channel/select.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Patience } from '#core/channel/patience.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';
import type { ModelRatePlace } from '#core/model-rate-limiter.ts';
import type { Price } from '#core/quota/price.ts';
import type { Token } from '#core/token/token.ts';
import type { ReplyReader } from '#core/words/check-reply.ts';
import type { User } from '#core/user/user.ts';
import type { Dialect, RequestFacts, Wire } from '../dialects/dialect.ts';
import type { Form, LoadedFile } from '../dialects/form.ts';
import type { FarAsked } from './far/far-asked.ts';
import type { UpstreamFormat } from './format.ts';
import { FormatGaps } from './format-gaps.ts';
import type { GoesOn } from './kept/find-kept.ts';
import { type Meter, newMeter } from './meter.ts';
import { Outlet } from './outlet.ts';
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
  /** The body as it came, and what it says; of a form no bytes. */
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
  /** It is read in another thread: `body` and `told` have only its short fields. */
  readonly far?: FarAsked;
}

/** What a request is written from: a running call, or as much of one as another thread has. */
export interface Asking {
  readonly call: Pick<RelayCall, 'operation' | 'headers'>;
  readonly wire: Wire | Dialect;
  readonly routing: Pick<Routing, 'options'> | undefined;
  readonly asked: Asked | undefined;
  readonly files: readonly LoadedFile[] | undefined;
  readonly isWhole: Promise<void> | undefined;
  upstreamModel: string;
  format: UpstreamFormat;
  isUnsealed: boolean;
  sparesTools: boolean;
  chatRequest: ChatRequest | undefined;
  written: Map<UpstreamFormat, Map<string, Written>> | undefined;
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

/** Of a response made in the background: asked for, known by its id, out of the call's hands. */
export type BackgroundStage = 'asked' | 'taken' | 'left';

type Written = Readonly<Record<string, unknown>> | AppError;

/** One call while it runs: what its steps, in their order, leave for the steps after them. */
export class Running {
  readonly call: RelayCall;
  /** The caller's format. */
  readonly wire: Wire | Dialect;
  readonly routing: Routing;
  readonly createdAtMs: number;
  /** Monotonic, as are all other times here. */
  readonly startedMs: number;
  readonly abort = new AbortController();
  /** Of the attempt that runs, or whose answer the caller gets. */
  #attempt: AbortController | undefined;
  readonly outlet: Outlet;

  // authenticate, read, admit
  caller: Caller | undefined;
  asked: Asked | undefined;
  /** What is left of the limit of its caller's calls, told in the head of its answer. */
  rateHeaders: Readonly<Record<string, string>> | undefined;
  /** Its place among the calls of its caller that succeed, until it is known whether it does. */
  ratePlace: ModelRatePlace | undefined;
  /** The group that pays: of `auto` the one it came out as. */
  group = '';
  /** What an upstream keeps that this call goes on from. */
  goesOn: GoesOn | undefined;
  /** Where the response is made while nobody waits: `background: true`. */
  background: BackgroundStage | undefined;

  // hold
  price: Price | undefined;
  heldUnits = 0;
  holdState: 'none' | 'open' | 'closed' = 'none';
  /** What a tool draws in the middle of its answer: a call of its own, paid beside it. */
  pictures: Running | undefined;
  /** It is such a call: where nothing was drawn it is no failure, and nobody's row. */
  isBeside = false;

  // choose, write, send: of the attempt that runs
  decision: Decision | undefined;
  channel: Channel | undefined;
  upstreamModel = '';
  /** How hard its model was told to think, where it was told. */
  effort: string | undefined;
  /** The same of the request it was sent, once it was. */
  sentSecrets: Secrets | undefined;
  /** How long its upstream may take. */
  patience: Patience | undefined;
  /** What its upstream is spoken with. */
  format: UpstreamFormat;
  attempts: Attempt[] = [];
  /** What channels of kinds that speak the caller's format have turned out not to. */
  gaps = NO_GAPS;
  /** The request in our own words, once something had to be converted. */
  chatRequest: ChatRequest | undefined;
  /** The request in other formats, as far as they can say it. */
  written: Map<UpstreamFormat, Map<string, Written>> | undefined;
  /** How the metrics know it; undefined until it is read. */
  isCountedAsStream: boolean | undefined;
  /** A form is whole and may go out to its end; undefined where it was so from the start. */
  isWhole: Promise<void> | undefined;
  /** The files of a form, once an upstream wants them inside JSON. */
  files: readonly LoadedFile[] | undefined;
  /** No channel of its model can be given all its tools: it goes out without those that an answer can do without. */
  sparesTools = false;
  /** It goes out without seals: an upstream has refused those of earlier turns. */
  isUnsealed = false;

  // answer, meter
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
    this.outlet = new Outlet(call, routing.options.StreamCacheQueueLength);
    this.routing = routing;
    this.createdAtMs = createdAtMs;
    this.startedMs = startedMs;
  }

  /** From now on comments may keep the stream open, where the operator wants that. */
  allowPings(nowMs: number): void {
    const { options } = this.routing;
    this.outlet.lastWriteMs = nowMs;
    if (!options['general_setting.ping_interval_enabled']) return;
    this.outlet.pingEveryMs = options['general_setting.ping_interval_seconds'] * 1000;
  }

  /** What no answer may repeat: the key of the channel that answers, and what was made of it. */
  get secrets(): Secrets {
    return this.sentSecrets ?? secretsOf(known(this.channel, 'choose'));
  }

  /** Ends the call from outside: the upstream is let go, and whoever waits for it gets `why`. */
  stop(why: AppError): void {
    this.stopped ??= why;
    this.abort.abort();
    this.#attempt?.abort();
  }

  /** What ends the attempt that begins: by itself, and with the call. */
  beginAttempt(): AbortController {
    this.#attempt = new AbortController();
    if (this.abort.signal.aborted) this.#attempt.abort();
    return this.#attempt;
  }
}

/** The value of a step that is known to have run. */
export const known = <Value>(value: Value | undefined, step: string): Value => {
  if (value === undefined) throw new Error(`the step before has not run: ${step}`);
  return value;
};
