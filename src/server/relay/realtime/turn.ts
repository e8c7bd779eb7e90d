import { AppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Price } from '#core/quota/price.ts';
import { quotaAt } from '#core/quota/price-variants.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { type HoldDeps, holdUnits } from '../bill/hold/hold.ts';
import { growHold } from '../bill/hold/late-hold.ts';
import { priceOfCall } from '../bill/price/price-of-call.ts';
import type { Moment } from '../bill/price/prices-of-now.ts';
import { Live } from '../live.ts';
import { noReply, type RealtimeCall, type RelayCall } from '../calls.ts';
import type { Caller, CallerRequest } from '../request/request.ts';
import type { Admitted, Asked, Held } from '../stages.ts';
import { Translations } from '../request/translations.ts';
import type { Ended, TappedMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Context } from './context.ts';

export type TurnDeps = HoldDeps & { readonly wire: Wire };

/** A turn before its caller is authenticated. */
export type NewTurn = Omit<Asked, 'caller'>;

const NOTHING = Buffer.alloc(0);

/** The call that opened a conversation, which of its turns is meant (0 is the first), and when that begins. */
export interface TurnOfCall extends Moment {
  readonly call: RealtimeCall;
  readonly number: number;
}

/** One answer of a conversation, as a call of its own: held, charged and logged like any other. */
export const newTurn = ({ clock, wire }: TurnDeps, { call, number, atMs, routing }: TurnOfCall): NewTurn => {
  const turn: RelayCall = {
    operation: 'realtime',
    dialect: 'openai-chat',
    headers: call.headers,
    queryKey: call.queryKey,
    pathModel: call.model,
    pathStream: true,
    framing: 'events',
    playground: false,
    requestId: number === 0 ? call.requestId : `${call.requestId}-${String(number)}`,
    ip: call.ip,
    path: '/v1/realtime',
    reply: noReply,
    readBody: () => Promise.resolve(NOTHING),
    readForm: () => Promise.reject(new Error('a conversation has no form')),
  };
  const request = requestFor(wire, call);
  return {
    call: turn,
    wire,
    routing,
    createdAtMs: atMs,
    startedMs: clock.monotonic(),
    isSideCall: false,
    live: new Live(turn, routing.options.StreamCacheQueueLength),
    request,
    translations: new Translations(wire, request),
  };
};

const requestFor = (wire: Wire, { model, askedModel }: RealtimeCall): CallerRequest => {
  const fields = { model };
  return {
    facts: { ...wire.facts(fields), ...(askedModel !== undefined && { askedModel }) },
    bytes: NOTHING,
    body: fields,
    fields,
    changed: false,
    modelInPath: true,
    hasForeignSignatures: false,
    group: '',
  };
};

/** The next turn of the same conversation, on the same channel. */
export const nextTurn = (
  deps: TurnDeps,
  of: TurnOfCall,
  before: Held,
  caller: Caller = before.caller,
): Admitted => {
  const turn = newTurn(deps, of);
  turn.live.attempt = before.live.attempt;
  turn.live.attempts = before.live.attempts;
  const { group, omitsTools, stripsTerms, continuation, session, canRepeat, lateForm } = before;
  return { ...turn, caller, group, omitsTools, stripsTerms, continuation, session, canRepeat, lateForm };
};

/** Holds what a turn that uses `worst` costs. Throws if the quota is short. */
export const holdTurn = async (deps: TurnDeps, turn: Admitted, worst: Usage): Promise<Held> => {
  const price = priceOfCall(turn);
  return holdUnits(deps, turn, price, unitsOf(price, worst));
};

/** Makes the hold of a running turn large enough for `worst`. Throws if the quota is short. */
export const growTurn = (deps: TurnDeps, turn: Held, worst: Usage): Promise<void> =>
  growHold(deps, turn, unitsOf(turn.price, worst));

export const unitsOf = (price: Price, worst: Usage): number => {
  const units = quotaAt(price, worst);
  if (units !== undefined) return units;
  throw new AppError('insufficient_quota', 'a turn could cost more than any balance can hold', {
    reason: 'insufficient_user_quota',
  });
};

/** A turn, and the largest usage its hold covers. */
export interface HeldTurn {
  turn: Held;
  worst: Usage;
}

/** Whether the hold covers a turn that uses this much. */
export const isEnough = ({ worst: held }: HeldTurn, worst: Usage): boolean =>
  held.inputTokens >= worst.inputTokens &&
  held.audioInputTokens >= worst.audioInputTokens &&
  held.imageInputTokens >= worst.imageInputTokens;

export interface SwapDeps {
  readonly next: (turn: Held, worst: Usage) => Promise<Held>;
  readonly settle: (turn: Held) => Promise<void>;
}

interface GrowDeps {
  readonly grow: (turn: Held, worst: Usage) => Promise<void>;
}

/** Replaces the hold by a larger one; throws if that cannot be paid. */
export const swap = async ({ next, settle }: SwapDeps, held: HeldTurn, worst: Usage): Promise<void> => {
  const { turn } = held;
  try {
    held.turn = await next(turn, worst);
  } catch {
    // Gives the old hold back first, because the new one may need its quota.
    await settle(turn);
    held.turn = await next(turn, worst);
  }
  held.worst = worst;
  await settle(turn);
};

/** Makes the hold of a running turn pay for twice as long an answer. Throws if the quota is short. */
export const growHeld = async ({ grow }: GrowDeps, held: HeldTurn): Promise<void> => {
  const worst = { ...held.worst, audioOutputTokens: 2 * held.worst.audioOutputTokens };
  await grow(held.turn, worst);
  held.worst = worst;
};

/** The content and reported usage of an answer. */
export interface Made extends Pick<Ended, 'usage' | 'isApart'> {
  readonly soundBytes: number;
  readonly textBytes: number;
}

/** The cost is saved after this much: ten seconds of sound, or 2000 tokens of text. */
const SAVED_EVERY_BYTES = 480_000;
const SOUND_TO_TEXT = 60;

/** What was said of one answer. */
interface Said {
  soundBytes: number;
  textBytes: number;
  /** The bytes of texts that arrive whole, whether or not pieces of them came before. */
  wholeBytes: number;
}

/** Answers whose parts are measured apart; further ones count together. */
const MOST_APART = 64;

/**
 * Measures what each answer has produced that has not ended yet. Parts that name no answer, or one that has ended, count to
 * the next that ends.
 */
export class MadeSoFar {
  readonly #said = new Map<string, Said>();
  readonly #ended = new Set<string>();
  /** From this size on, the cost is saved again. */
  #savedFrom = 0;

  /**
   * Adds what a message says.
   * @param save receives the usage so far, at first and then from time to time
   */
  add(
    { answer, soundBytes = 0, textBytes = 0, wholeBytes = 0, done }: TappedMessage,
    context: Context,
    save: (soFar: Usage) => void,
  ): void {
    if (soundBytes + textBytes + wholeBytes > 0) {
      const said = this.#of(answer ?? done?.id);
      said.soundBytes += soundBytes;
      said.textBytes += textBytes;
      said.wholeBytes =
        done === undefined ? said.wholeBytes + wholeBytes : Math.max(said.wholeBytes, wholeBytes);
    }
    const all = sumOf(this.#said.values());
    const size = all.soundBytes + all.textBytes * SOUND_TO_TEXT;
    if (size < this.#savedFrom || size === 0) return;
    this.#savedFrom = size + SAVED_EVERY_BYTES;
    save(context.counted(all.soundBytes, all.textBytes));
  }

  #of(answer = ''): Said {
    const isApart = this.#said.has(answer) || (this.#said.size < MOST_APART && !this.#ended.has(answer));
    const name = isApart ? answer : '';
    const known = this.#said.get(name) ?? { soundBytes: 0, textBytes: 0, wholeBytes: 0 };
    this.#said.set(name, known);
    return known;
  }

  /** Whether more was produced than these holds pay for. */
  outgrows(context: Context, held: readonly HeldTurn[]): boolean {
    const { soundBytes, textBytes } = sumOf(this.#said.values());
    const { outputTokens, audioOutputTokens } = context.counted(soundBytes, textBytes);
    return (
      outputTokens + audioOutputTokens > held.reduce((sum, { worst }) => sum + worst.audioOutputTokens, 0)
    );
  }

  /** Ends an answer: returns what it produced. Without an id, what all have produced. */
  take({ id, usage, isApart }: Pick<Ended, 'usage' | 'isApart'> & Partial<Pick<Ended, 'id'>>): Made {
    const names = id === undefined ? [...this.#said.keys()] : [id, ''];
    const made = sumOf(names.flatMap((name) => this.#said.get(name) ?? []));
    for (const name of names) this.#said.delete(name);
    if (id !== undefined) this.#ended.add(id);
    const [oldest = ''] = this.#ended;
    if (this.#ended.size > MOST_APART) this.#ended.delete(oldest);
    this.#savedFrom = 0;
    return { usage, isApart, ...made };
  }
}

const sumOf = (all: Iterable<Said>): Pick<Said, 'soundBytes' | 'textBytes'> => {
  const sum = { soundBytes: 0, textBytes: 0 };
  for (const { soundBytes, textBytes, wholeBytes } of all) {
    sum.soundBytes += soundBytes;
    sum.textBytes += Math.max(textBytes, wholeBytes);
  }
  return sum;
};

/** Sets the usage of a turn: as reported, else as counted. `isLast` says that no other answer is running. */
export const meterTurn = (
  { live }: Held,
  context: Context,
  { usage, isApart, soundBytes, textBytes }: Made,
  isLast = true,
): void => {
  const { meter } = live;
  const isCounted = soundBytes > 0 || textBytes > 0;
  meter.finished = true;
  meter.produced = usage !== undefined || isCounted;
  if (meter.produced) meter.reported = usage ?? context.counted(soundBytes, textBytes);
  context.ended(usage, isApart, isLast);
};
