import { exportLogs, exportOwnLogs } from '#contract/api/logs/logs.ts';
import { downloadFile } from '../../lib/server/download-file.ts';
import { adminQuery, type Filters, ownQuery } from './log-query.ts';

/** Saves every row under the filters as a file, and reports how many have arrived. */
export const saveLogFile = (
  isAdmin: boolean,
  filters: Filters,
  signal: AbortSignal,
  onProgress: (rows: number, total: number) => void,
): Promise<void> => {
  const now = new Date();
  const query = (isAdmin ? adminQuery : ownQuery)(filters, now.getTime());
  const name = `logs-${now.toISOString().slice(0, 10)}.csv`;
  return downloadFile(isAdmin ? exportLogs : exportOwnLogs, { query }, name, signal, onProgress);
};
