import type { Usage } from '../chat/usage.ts';

/** The log row of one call, written in the transaction that charges it. */
export interface CallLog {
  readonly requestId: string;
  readonly createdAtMs: number;
  /** Consume, or error for a call that failed and cost nothing. */
  readonly type: number;
  readonly userId: number;
  readonly username: string;
  /** 0 for the playground. */
  readonly tokenId: number;
  readonly tokenName: string;
  /** 0 if no channel was reached. */
  readonly channelId: number;
  /** Which of the channel's keys is charged for it, where it has several. Its row does not keep it. */
  readonly keyId?: number | undefined;
  readonly group: string;
  readonly model: string;
  /** The calling program, of `contract/programs.ts`; absent where no program called, or nobody knows which. */
  readonly program?: string | undefined;
  readonly usage: Usage;
  readonly quotaUnits: number;
  readonly useTimeMs: number;
  readonly isStream: boolean;
  readonly ip: string;
  readonly content: string;
  /** JSON text in the family's field names; `admin_info` inside is for admins only. */
  readonly other: string;
  /** What it cost the operator, in billionths of a US dollar; absent if that is not known. Never shown to users. */
  readonly costNano?: number | undefined;
  /** Its session, as a keyed hash. */
  readonly session?: string | undefined;
  /** What prompt caches made it cheaper; below 0 where writing them cost more. */
  readonly savedUnits?: number | undefined;
  /** What it was charged by, as `core/price-book/priced-call.ts` writes it; absent if nothing can be charged again. */
  readonly priced?: string | undefined;
  /** Its cost is counted with those of the house, not here. */
  readonly isHouse?: boolean;
}

/** A log row that is not a call: top-ups, admin changes, system events. */
export interface EventLog {
  readonly createdAtMs: number;
  readonly type: number;
  readonly userId: number;
  readonly username: string;
  readonly content: string;
  readonly quotaUnits?: number;
  readonly other?: string;
}

/** A row as read back; for an event, the fields of a call are empty or 0. */
export interface LogRow extends Omit<CallLog, 'usage' | 'priced'> {
  readonly id: number;
  readonly channelName: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}
