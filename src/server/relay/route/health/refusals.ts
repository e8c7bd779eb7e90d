import type { AnswerTimes } from './answer-times.ts';
import type { SeatId } from './health-node.ts';

/** After this many refusals in a row the channel itself may be at fault. */
const ROW = 2;
/** A single refusal of a channel that has answered within this time is taken for the caller's mistake. */
const BELIEVED_MS = 60_000;
const ENTRIES_MAX = 20_000;

interface Refused {
  /** How often it has refused since its last answer, or since another seat refused the same call. */
  row: number;
  lastMs: number;
}

/**
 * Counts the refusals that look like mistakes of callers, by channel, key and model. A single one does not show whose
 * fault it is: a channel with a wrong address or model name refuses every call in this way, and so does a key whose
 * account lacks the model, while other keys answer.
 */
export class Refusals {
  readonly #answers: Pick<AnswerTimes, 'last'>;
  readonly #channels = new Map<number, Map<string, Refused>>();
  #entries = 0;

  constructor(answers: Pick<AnswerTimes, 'last'>) {
    this.#answers = answers;
  }

  /**
   * Notes a refusal.
   * @returns whether the channel or its key may be refusing every call
   */
  note({ id, keyId }: SeatId, model: string, nowMs: number): boolean {
    const isKeyWrong = keyId !== 0 && this.#row({ id, keyId }, model, nowMs) >= ROW;
    const isChannelWrong = this.#row({ id, keyId: 0 }, model, nowMs) >= ROW;
    return isKeyWrong || isChannelWrong || nowMs >= this.#answers.last(id, 0, model) + BELIEVED_MS;
  }

  #row(seat: SeatId, model: string, nowMs: number): number {
    const refused = this.#of(seat, model);
    const isAnsweredSince = this.#answers.last(seat.id, seat.keyId, model) > refused.lastMs;
    refused.row = isAnsweredSince ? 1 : refused.row + 1;
    refused.lastMs = nowMs;
    return refused.row;
  }

  /** Notes that another seat refused the same call, so this seat's refusal was right. */
  wasRight({ id, keyId }: SeatId, model: string): void {
    this.#of({ id, keyId: 0 }, model).row = 0;
    if (keyId !== 0) this.#of({ id, keyId }, model).row = 0;
  }

  #of({ id: channelId, keyId }: SeatId, ofModel: string): Refused {
    const model = `${String(keyId)}\n${ofModel}`;
    const models = this.#channels.get(channelId) ?? new Map<string, Refused>();
    const known = models.get(model);
    if (known !== undefined) return known;
    if (this.#entries >= ENTRIES_MAX) this.#forgetOne();
    const refused = { row: 0, lastMs: -Infinity };
    this.#channels.set(channelId, models.set(model, refused));
    this.#entries += 1;
    return refused;
  }

  #forgetOne(): void {
    const [oldest] = this.#channels;
    if (oldest === undefined) return;
    this.#entries -= oldest[1].size;
    this.#channels.delete(oldest[0]);
  }
}
