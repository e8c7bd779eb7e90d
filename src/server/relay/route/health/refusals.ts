import type { AnswerTimes } from './answer-times.ts';
import type { SeatId } from './health-node.ts';

/** So many refusals in a row may be the channel's own fault. */
const ROW = 2;
/** What has answered within this time is believed. */
const BELIEVED_MS = 60_000;
const ENTRIES_MAX = 20_000;

interface Refused {
  /** How often it refused since its last answer, or since another seat refused the same call. */
  row: number;
  lastMs: number;
}

/**
 * Calls that channels refused as their callers' mistakes, by channel, key and model. A channel whose address or model name
 * is wrong refuses every call in that way, a key whose account lacks the model while others are answered, and no single
 * refusal shows whose fault it is.
 */
export class Refusals {
  readonly #answers: Pick<AnswerTimes, 'last'>;
  readonly #channels = new Map<number, Map<string, Refused>>();
  #entries = 0;

  constructor(answers: Pick<AnswerTimes, 'last'>) {
    this.#answers = answers;
  }

  /** Notes a refusal. @returns whether the channel, or its key, may be refusing whatever it is sent */
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

  /** Notes that another seat refused the same call: this refusal says nothing about this one. */
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
