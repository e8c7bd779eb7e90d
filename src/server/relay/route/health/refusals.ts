import type { AnswerTimes } from './answer-times.ts';

/** So many refusals in a row may be the channel's own fault. */
const ROW = 2;
/** What has answered within this time is believed. */
const BELIEVED_MS = 60_000;
const ENTRIES_MAX = 20_000;

interface Refused {
  /** How often it refused since its last answer, or since another channel refused the same call. */
  row: number;
  lastMs: number;
}

/**
 * Calls that channels refused as their callers' mistakes, by channel and model. A channel whose address or model name is
 * wrong refuses every call in that way, and no single refusal shows whose fault it is.
 */
export class Refusals {
  readonly #answers: Pick<AnswerTimes, 'last'>;
  readonly #channels = new Map<number, Map<string, Refused>>();
  #entries = 0;

  constructor(answers: Pick<AnswerTimes, 'last'>) {
    this.#answers = answers;
  }

  /** Notes a refusal. @returns whether the channel may be refusing whatever it is sent */
  note(channelId: number, model: string, nowMs: number): boolean {
    const refused = this.#of(channelId, model);
    const answeredMs = this.#answers.last(channelId, 0, model);
    refused.row = answeredMs > refused.lastMs ? 1 : refused.row + 1;
    refused.lastMs = nowMs;
    return refused.row >= ROW || nowMs >= answeredMs + BELIEVED_MS;
  }

  /** Notes that another channel refused the same call: this refusal says nothing about the channel. */
  wasRight(channelId: number, model: string): void {
    this.#of(channelId, model).row = 0;
  }

  #of(channelId: number, model: string): Refused {
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
