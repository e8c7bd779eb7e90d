import type { LogExport, LogExportFilter } from '#core/log/log-store.ts';
import type { Download } from '../../handler.ts';
import { type Evidence, evidenceFile } from '../channels/evidence-csv.ts';
import { logFile, type LogReader } from './log-csv.ts';

/** What a file of log rows shows: the rows as the logs do, or what their details say about the upstream. */
export type RowFile = ({ readonly of: 'logs' } & LogReader) | ({ readonly of: 'evidence' } & Evidence);

/** Makes a file of the rows under a filter; one of evidence needs their details. */
export type MakeRowFile = (filter: LogExportFilter, file: RowFile) => Promise<Download>;

/** Written in about a millisecond, so that relay calls run in between; in a thread of its own there is more time. */
const ROWS_A_PIECE = {
  logs: { here: 50, elsewhere: 200 },
  evidence: { here: 25, elsewhere: 100 },
} as const;

/** The file of rows, written while they are read. */
export const rowFile = (found: LogExport, file: RowFile, where: 'here' | 'elsewhere'): Download => {
  const rowsAPiece = ROWS_A_PIECE[file.of][where];
  return file.of === 'logs' ? logFile(found, file, rowsAPiece) : evidenceFile(found, file, rowsAPiece);
};
