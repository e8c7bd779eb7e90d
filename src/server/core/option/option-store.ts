/** Options as stored: key and text. What a text means is the option table's business. */
export interface OptionStore {
  all(): Promise<ReadonlyMap<string, string>>;
  /** Writes one option. Price options also start a new price version, in the same transaction. */
  set(key: string, value: string, nowMs: number): Promise<void>;
  /** The same for several, all or none. */
  setAll(changes: ReadonlyMap<string, string>, nowMs: number): Promise<void>;
  /** The number of the newest price version; 0 before a price option was ever saved. */
  priceVersion(): Promise<number>;
}
