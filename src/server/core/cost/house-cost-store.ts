/** Costs of the operator that no caller is charged for. */
export type HouseCostKind = 'attempt' | 'test' | 'hedge' | 'sealed';

/** Such a call, with known usage. */
export interface HouseCost {
  readonly channelId: number;
  readonly kind: HouseCostKind;
  readonly atMs: number;
  /** In billionths of a US dollar; undefined if not known. */
  readonly costNano: number | undefined;
}

/** The sums of a channel on one day. */
export interface HouseCostDay {
  readonly channelId: number;
  readonly kind: string;
  readonly dayMs: number;
  readonly calls: number;
  readonly costNano: number;
  /** How many of the calls have an unknown cost. */
  readonly uncosted: number;
}

/** Stores what upstreams charge and no caller pays. */
export interface HouseCostStore {
  add(cost: HouseCost): Promise<void>;
  /** Sums by day, channel and kind. The range includes both days. */
  days(span: { readonly fromMs: number; readonly toMs: number }): Promise<HouseCostDay[]>;
}
