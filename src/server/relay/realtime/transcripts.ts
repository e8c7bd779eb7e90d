import type { Usage } from '#core/chat/usage.ts';
import { AppError, asAppError } from '#core/error.ts';
import { findPrice } from '#core/quota/price.ts';
import { holdUnits } from '../bill/hold/hold.ts';
import { priceOfCall } from '../bill/price/price-of-call.ts';
import { settle } from '../bill/settle.ts';
import type { RealtimeCall } from '../calls.ts';
import type { Admitted, Held } from '../stages.ts';
import { countedWords, type TappedMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import { type HeldTurn, nextTurn, type SwapDeps, type TurnDeps, type TurnOfCall, unitsOf } from './turn.ts';

type ChargeDeps = TurnDeps & Parameters<typeof settle>[0];

/** The transcription of the caller's audio, as a call of its own, at the transcribing model's price if it has one. */
export const transcriptTurn = (
  deps: TurnDeps,
  of: TurnOfCall,
  turn: Held,
  model: string | undefined,
): Admitted => {
  if (model !== undefined) {
    const own = nextTurn(deps, { ...of, call: { ...withoutAlias(of.call), model } }, turn);
    // The alias is the name of the conversation's model, not of this one.
    if (hasPrice(own)) return { ...own, isSideCall: true };
  }
  return nextTurn(deps, of, turn);
};

const withoutAlias = (call: RealtimeCall): RealtimeCall => {
  const { askedModel: _, ...rest } = call;
  return rest;
};

const hasPrice = ({ routing, request, caller, group }: Admitted): boolean =>
  findPrice(routing, request.facts.model, caller.user.group, group) !== undefined;

/** Whether usage is charged only if all of it can be paid, or in any case, as far as there is quota. */
export type WhenCharged = 'if-paid' | 'in-any-case';

/**
 * Charges usage that could not be held in advance.
 * Never rejects.
 *
 * @returns whether it is charged
 */
export const chargeTurn = async (
  deps: ChargeDeps,
  turn: Admitted,
  used: Usage,
  when: WhenCharged,
): Promise<boolean> => {
  let held: Held;
  try {
    const price = priceOfCall(turn);
    // A side call leaves no row if it is refused: it is charged right afterwards.
    const beside = { ...turn, isSideCall: true };
    held = await holdUnits(deps, beside, price, when === 'in-any-case' ? 0 : unitsOf(price, used));
  } catch (thrown) {
    const { code } = asAppError(thrown);
    if (when === 'if-paid' && code === 'insufficient_quota') return false;
    deps.log.warn('a transcript could not be charged', { requestId: turn.call.requestId, cause: code });
    return true;
  }
  Object.assign(held.live.meter, { reported: used, produced: true, finished: true });
  await settle(deps, { ...held, isSideCall: turn.isSideCall });
  return true;
};

/** Transcribed words: the turn in which they were said, the model that transcribed them, and the usage. */
export interface Words {
  readonly turn: Held;
  readonly model: string | undefined;
  readonly used: Usage;
}

interface WordsDeps extends SwapDeps {
  readonly charge: (words: Words, when: WhenCharged) => Promise<boolean>;
  readonly isOver: () => boolean;
}

/** The error that ends a conversation whose transcription cannot be paid. Otherwise the operator would pay for it. */
export const noQuotaForWords = (): AppError =>
  new AppError('insufficient_quota', 'what was said is written down, and no quota is left for it', {
    reason: 'insufficient_user_quota',
  });

/**
 * Charges a transcription. If the quota for it is held for answers that have not begun, gives those holds back first
 * and makes them again from what is left, unless the conversation is over; throws if that cannot be paid.
 * @returns whether it is charged; false if running answers hold all quota, which only their end gives back
 */
export const chargeWords = async (
  { charge, settle, next, isOver }: WordsDeps,
  words: Words,
  unbegun: readonly HeldTurn[],
): Promise<boolean> => {
  if (await charge(words, 'if-paid')) return true;
  if (unbegun.length === 0) return false;
  for (const { turn } of unbegun) await settle(turn);
  await charge(words, 'in-any-case');
  for (const held of isOver() ? [] : unbegun) held.turn = await next(held.turn, held.worst);
  return true;
};

/** The number of items whose unfinished transcription is remembered. */
const MOST_ITEMS = 64;

/**
 * Follows the transcription of the caller's words: the model that transcribes, and how much text was shown whose usage
 * was not reported yet.
 */
export class Transcripts {
  #model: string | undefined;
  readonly #bytes = new Map<string, number>();

  note({ session, writing }: TappedMessage): void {
    this.#model = session?.transcriber ?? this.#model;
    if (writing === undefined) return;
    const { item, bytes } = writing;
    const before = this.#bytes.get(item) ?? 0;
    this.#bytes.delete(item);
    if (bytes === undefined) return;
    this.#bytes.set(item, before + bytes);
    const [oldest = item] = this.#bytes.keys();
    if (this.#bytes.size > MOST_ITEMS) this.#bytes.delete(oldest);
  }

  words(turn: Held, used: Usage): Words {
    return { turn, model: this.#model, used };
  }

  /** The text that was shown but not reported, as usage counted by us; undefined if there is none. */
  unfinished(turn: Held): Words | undefined {
    const bytes = this.#bytes.values().reduce((sum, one) => sum + one, 0);
    return bytes === 0 ? undefined : this.words(turn, countedWords(bytes));
  }
}
