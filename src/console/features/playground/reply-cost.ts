import { listOwnLogs } from '#contract/api/logs.ts';
import { logType } from '#contract/codes.ts';
import { call } from '../../lib/api.ts';

/** The row is written as the call is settled, a moment after its last word. */
const TRIES_AFTER_MS = [150, 600, 2000] as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a call was charged, as its log row says; undefined where there is no row (the log may be switched off). */
export const readReplyCost = async (requestId: string): Promise<number | undefined> => {
  for (const wait of TRIES_AFTER_MS) {
    await pause(wait);
    const rows = await call(listOwnLogs, { query: { request_id: requestId, page_size: 10 } }).catch(
      () => undefined,
    );
    const row = rows?.items.find((one) => one.type === logType.consume);
    if (row !== undefined) return row.quota;
    // A failed call has a row too, and no price.
    if (rows !== undefined && rows.items.length > 0) return undefined;
  }
  return undefined;
};
