/** Who sets options. */
export interface OptionAuthor {
  readonly id: number;
  readonly name: string;
}

/** Options as stored: key and text. The option table says what a text means. */
export interface OptionStore {
  all(): Promise<ReadonlyMap<string, string>>;
  /** Writes one option. Price options also start a new price version, in the same transaction. */
  set(key: string, value: string, nowMs: number): Promise<void>;
  /**
   * Writes several, all or none.
   * @param asRead texts that must still be stored, undefined for none; otherwise nothing is written
   * @returns whether they were
   */
  setAll(
    changes: ReadonlyMap<string, string>,
    nowMs: number,
    author?: OptionAuthor,
    asRead?: ReadonlyMap<string, string | undefined>,
  ): Promise<boolean>;
  /** The latest price version; 0 if no price option was ever saved. */
  priceVersion(): Promise<number>;
  /** When prices change next on schedule; undefined if nothing is scheduled. */
  pricesUntilMs(): Promise<number | undefined>;
}
