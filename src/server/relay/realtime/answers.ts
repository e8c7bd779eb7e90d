/** How many answers are remembered by their ids. */
const MOST_REMEMBERED = 64;

/**
 * Counts the answers of a conversation that may cost something: those requested but not begun, and those begun whose
 * turn is not closed. An upstream may begin answers that nobody requested.
 */
export class Answers {
  #asked = 0;
  #begun = 0;
  #over = 0;
  /** Answers that have begun and not ended, counted by id. */
  readonly #unended = new Map<string, number>();

  /** Requested, or begun and not closed: each needs a hold. */
  get count(): number {
    return this.#asked + this.#begun;
  }

  get begun(): number {
    return this.#begun;
  }

  /** The upstream has finished an answer whose turn is not closed yet: its hold pays for nothing else. */
  get isClosing(): boolean {
    return this.#over > 0;
  }

  /** Notes that an answer is requested from the upstream. */
  ask(): void {
    this.#asked += 1;
  }

  /** Notes that the upstream begins an answer: a requested one, if there is any. */
  begin(id?: string): void {
    this.#begun += 1;
    this.#asked = Math.max(0, this.#asked - 1);
    if (id === undefined) return;
    const others = this.#unended.get(id) ?? 0;
    this.#unended.delete(id);
    this.#unended.set(id, others + 1);
    const [oldest = id] = this.#unended.keys();
    if (this.#unended.size > MOST_REMEMBERED) this.#unended.delete(oldest);
  }

  /**
   * Notes that the upstream has refused something, possibly an answer. If it was something else, the answer is counted
   * when it begins.
   */
  refuse(): void {
    this.#asked = Math.max(0, this.#asked - 1);
  }

  /**
   * Notes that the upstream has ended an answer. Some end without a begin event.
   * @returns whether it is to be charged; false if its end was reported before
   */
  end(id: string | undefined): boolean {
    const unended = id === undefined ? undefined : this.#unended.get(id);
    if (unended === 0) return false;
    if (id !== undefined && unended !== undefined) this.#unended.set(id, unended - 1);
    if (this.#begun <= this.#over) this.begin();
    this.#over += 1;
    return true;
  }

  /** Closes the turn of a finished answer. */
  close(): void {
    this.#begun -= 1;
    this.#over -= 1;
  }
}
