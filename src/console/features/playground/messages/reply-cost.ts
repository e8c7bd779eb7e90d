import { listOwnLogs } from '#contract/api/logs/logs.ts';
import { logType } from '#contract/codes.ts';
import { call } from '../../../lib/server/api.ts';

/** The log row is written shortly after the reply's end. */
const TRIES_AFTER_MS = [150, 600, 2000] as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The charge in the call's log row; undefined if there is no row (the log may be disabled). */
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
