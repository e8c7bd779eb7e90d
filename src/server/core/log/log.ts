import type { AllowanceUse } from '../cost/allowance-use.ts';
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
  /** The key that is charged for it, if the channel has several. Not stored in the row. */
  readonly keyId?: number | undefined;
  readonly group: string;
  readonly model: string;
  /** The calling program, one of `contract/programs.ts`; missing if unknown. */
  readonly program?: string | undefined;
  readonly usage: Usage;
  readonly quotaUnits: number;
  readonly useTimeMs: number;
  readonly isStream: boolean;
  readonly ip: string;
  readonly content: string;
  /** JSON text in the family's field names; `admin_info` inside is for admins only. */
  readonly other: string;
  /** What it cost the operator, in billionths of a US dollar; missing if not known. Never shown to users. */
  readonly costNano?: number | undefined;
  /** The part of the cost that may be free today; the ledger lowers the cost by what is. Not stored in the row. */
  readonly free?: AllowanceUse | undefined;
  /** Its session, as a keyed hash. */
  readonly session?: string | undefined;
  /** How much prompt caching saved; negative if writing the cache cost more. */
  readonly savedUnits?: number | undefined;
  /** The basis of the charge, as `core/price-book/priced-call.ts` writes it; missing if it cannot be priced again. */
  readonly priced?: string | undefined;
  /** Whether its cost is counted with the house costs instead of here. */
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
export interface LogRow extends Omit<CallLog, 'usage' | 'priced' | 'free'> {
  readonly id: number;
  readonly channelName: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}
