const HALF_MS = 30_000;
const MOST_WINDOWS = 5000;
/**
 * Each user may take this part of the allowed minimum even when others have used everything up; together they get at
 * most the minimum once more. So impossible calls of one user cannot take the retries of all others.
 */
const PART_OF_USER = 1 / 4;

/** Compares the extra upstream calls with all calls in the last 30 to 60 seconds. */
export class ShareWindow {
  #least: number;
  #sinceMs = -Infinity;
  #calls = 0;
  #extra = 0;
  #callsBefore = 0;
  #extraBefore = 0;
  /** Extra calls allowed beyond the share, and what each user took, in this half of the window. */
  #beyond = 0;
  #byUser = new Map<number, number>();
  #byUserBefore: ReadonlyMap<number, number> = new Map();

  /** @param least the number of extra calls that is always allowed, so that a single failure gets its retries */
  constructor(least: number) {
    this.#least = least;
  }

  /** Changes the number that is always allowed. */
  allowAtLeast(least: number): void {
    this.#least = least;
  }

  /** Counts a call that begins. */
  note(nowMs: number): void {
    this.#turn(nowMs);
    this.#calls += 1;
  }

  /**
   * Takes one extra call if allowed: `percent` of all calls, or the minimum if that is more, and each user's part of
   * the minimum in any case.
   */
  takes(percent: number, nowMs: number, userId?: number): boolean {
    this.#turn(nowMs);
    const most = Math.max(this.#least, ((this.#calls + this.#callsBefore) * percent) / 100);
    if (this.#extra + this.#extraBefore + 1 > most) {
      if (userId === undefined || !this.#hasReserve(userId)) return false;
      this.#beyond += 1;
    } else this.#extra += 1;
    if (userId !== undefined) this.#byUser.set(userId, (this.#byUser.get(userId) ?? 0) + 1);
    return true;
  }

  #hasReserve(userId: number): boolean {
    const own = (this.#byUser.get(userId) ?? 0) + (this.#byUserBefore.get(userId) ?? 0);
    return own < this.#least * PART_OF_USER && this.#beyond < this.#least;
  }

  /** Counts an extra call that is made in any case. It leaves less room for others. */
  spend(nowMs: number): void {
    this.#turn(nowMs);
    this.#extra += 1;
  }

  #turn(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs;
    if (passedMs < HALF_MS) return;
    const isNext = passedMs < 2 * HALF_MS;
    this.#callsBefore = isNext ? this.#calls : 0;
    this.#extraBefore = isNext ? this.#extra : 0;
    this.#calls = 0;
    this.#extra = 0;
    this.#beyond = 0;
    this.#byUserBefore = isNext ? this.#byUser : new Map();
    this.#byUser = new Map();
    this.#sinceMs = nowMs;
  }
}

/** One window per name; the oldest is dropped if there are too many names. */
export class ShareWindows {
  readonly #least: number;
  readonly #windows = new Map<string, ShareWindow>();

  constructor(least: number) {
    this.#least = least;
  }

  /** @param least as many are always allowed, if it is more than usual */
  of(name: string, least = 0): ShareWindow {
    const atLeast = Math.max(this.#least, least);
    const known = this.#windows.get(name);
    known?.allowAtLeast(atLeast);
    if (known !== undefined) return known;
    const made = new ShareWindow(atLeast);
    this.#windows.set(name, made);
    if (this.#windows.size > MOST_WINDOWS) {
      const [oldest] = this.#windows.keys();
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    return made;
  }
}
