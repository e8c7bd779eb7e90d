import type { AllowanceUse } from './allowance-use.ts';

/** Costs of the operator that no caller is charged for. `killed` are calls of an ended process, whose channel is not known. */
export type HouseCostKind = 'attempt' | 'test' | 'hedge' | 'sealed' | 'killed';

/** Such a call, or several alike. */
export interface HouseCost {
  /** 0 if not known. */
  readonly channelId: number;
  readonly kind: HouseCostKind;
  readonly atMs: number;
  /** In billionths of a US dollar; undefined if not known. */
  readonly costNano: number | undefined;
  /** The part of it that may be free today; the store lowers the cost by what is. */
  readonly free?: AllowanceUse | undefined;
  /** The upstream reported no usage, so the cost is computed from our own count. */
  readonly isEstimated?: boolean;
  /** Default: one call. */
  readonly calls?: number;
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
  /** How many of the calls have a cost of estimated usage. */
  readonly estimated: number;
}

/** Stores what upstreams charge and no caller pays. */
export interface HouseCostStore {
  add(cost: HouseCost): Promise<void>;
  /** Sums by day, channel and kind. The range includes both days. */
  days(span: { readonly fromMs: number; readonly toMs: number }): Promise<HouseCostDay[]>;
}
