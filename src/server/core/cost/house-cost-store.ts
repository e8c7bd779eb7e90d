/** What cost the operator something and nobody is charged for. */
export type HouseCostKind = 'attempt' | 'test' | 'hedge' | 'sealed';

/** Such a call whose usage is known. */
export interface HouseCost {
  readonly channelId: number;
  readonly kind: HouseCostKind;
  readonly atMs: number;
  /** In billionths of a US dollar; undefined if it is not known. */
  readonly costNano: number | undefined;
}

/** The sums of a channel on one day. */
export interface HouseCostDay {
  readonly channelId: number;
  readonly kind: string;
  readonly dayMs: number;
  readonly calls: number;
  readonly costNano: number;
  /** How many of the calls have no known cost. */
  readonly uncosted: number;
}

/** Stores what upstreams are paid for and no caller is charged. */
export interface HouseCostStore {
  add(cost: HouseCost): Promise<void>;
  /** By day, channel and kind. Times are inclusive, by the day. */
  days(span: { readonly fromMs: number; readonly toMs: number }): Promise<HouseCostDay[]>;
}
