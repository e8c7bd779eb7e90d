/** A known length fades with every shorter answer: after this many, half of it is left. */
const HALF_LIFE_ANSWERS = 64;
const KEPT = 0.5 ** (1 / HALF_LIFE_ANSWERS);
const MOST_KNOWN = 10_000;

/**
 * How long the answers of each payer's models recently were, in tokens: what one more of them will probably need. Only
 * used to divide little money among many callers, never to charge.
 */
export class UsualAnswers {
  readonly #longest = new Map<number, Map<string, number>>();
  #count = 0;

  /** Notes the length of an answer, of one choice. */
  note(userId: number, model: string, tokens: number): void {
    let ofUser = this.#longest.get(userId);
    if (ofUser === undefined) this.#longest.set(userId, (ofUser = new Map<string, number>()));
    const before = ofUser.get(model);
    ofUser.set(model, Math.max(tokens, (before ?? 0) * KEPT));
    if (before !== undefined) return;
    this.#count += 1;
    if (this.#count <= MOST_KNOWN) return;
    this.#longest.clear();
    this.#count = 0;
  }

  /** About the longest of the recent answers; undefined if none is known. */
  longest(userId: number, model: string): number | undefined {
    const tokens = this.#longest.get(userId)?.get(model);
    return tokens === undefined ? undefined : Math.ceil(tokens);
  }
}
