/**
 * How many answers of a conversation may cost something: those the caller has asked for that the upstream has not begun,
 * and those it has begun whose turn is not closed. An upstream may begin answers that nobody asked for.
 */
export class Answers {
  #asked = 0;
  #begun = 0;
  #over = 0;

  /** Asked for, or begun and not closed: each needs a hold. */
  get count(): number {
    return this.#asked + this.#begun;
  }

  get begun(): number {
    return this.#begun;
  }

  /** The upstream has said that an answer is over whose turn is still to be closed: its hold pays for nothing else. */
  get isClosing(): boolean {
    return this.#over > 0;
  }

  /** The upstream is asked for an answer. */
  ask(): void {
    this.#asked += 1;
  }

  /** The upstream begins one: an answer that was asked for, where there is one. */
  begin(): void {
    this.#begun += 1;
    this.#asked = Math.max(0, this.#asked - 1);
  }

  /** The upstream has refused something, which may be an answer. If it was not, the answer is counted when it begins. */
  refuse(): void {
    this.#asked = Math.max(0, this.#asked - 1);
  }

  /** The upstream has ended one. Of some nobody hears the beginning. */
  end(): void {
    if (this.#begun <= this.#over) this.begin();
    this.#over += 1;
  }

  /** The turn of one that is over is closed. */
  close(): void {
    this.#begun -= 1;
    this.#over -= 1;
  }
}
