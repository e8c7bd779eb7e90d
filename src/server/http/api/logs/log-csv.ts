import { NANO_PER_USD } from '#contract/limits.ts';
import { logType } from '#contract/codes.ts';
import type { Language } from '#contract/messages.ts';
import { shownText } from '#core/log/shown-phrase.ts';
import type { LogRow } from '#core/log/log.ts';
import type { LogExport } from '#core/log/log-store.ts';
import type { Download } from '../../handler.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { withoutEnd } from '#contract/without-end.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

/** The reader a file of rows is made for. */
export interface LogReader {
  readonly language: Language;
  readonly quotaPerUnit: number;
  /** Includes the rows of all users, with channels and costs. */
  readonly isAdmin: boolean;
  /** Users whose addresses are private. */
  readonly hidesAddressesOf: ReadonlySet<number>;
}

interface Writing extends LogReader {
  readonly timeOf: (ms: number) => string;
}

interface Column {
  readonly name: string;
  readonly forAdmins?: true;
  readonly value: (row: LogRow, writing: Writing) => string | number;
}

const typeNames = new Map<number, string>(Object.entries(logType).map(([name, type]) => [type, name]));
const USD_PLACES = 9;
/** Dollars as text, exact to the billionth. */
export const usd = (amount: number): string => withoutEnd(withoutEnd(amount.toFixed(USD_PLACES), '0'), '.');

/** Writes times as `toISOString` does, which takes as long as five other cells: most rows share the minute with the row before. */
const isoTimes = (): ((ms: number) => string) => {
  let minute: number | undefined;
  let begin = '';
  return (ms) => {
    const own = Math.floor(ms / MINUTE_MS);
    if (own !== minute) {
      minute = own;
      begin = new Date(own * MINUTE_MS).toISOString().slice(0, -'00.000Z'.length);
    }
    const rest = String(ms - own * MINUTE_MS).padStart('00000'.length, '0');
    return `${begin}${rest.slice(0, 2)}.${rest.slice(2)}Z`;
  };
};

const columns: readonly Column[] = [
  { name: 'time', value: ({ createdAtMs }, { timeOf }) => timeOf(createdAtMs) },
  { name: 'type', value: ({ type }) => typeNames.get(type) ?? type },
  { name: 'request_id', value: ({ requestId }) => requestId },
  { name: 'user_id', forAdmins: true, value: ({ userId }) => userId },
  { name: 'username', forAdmins: true, value: ({ username }) => username },
  { name: 'token_id', value: ({ tokenId }) => tokenId },
  { name: 'token', value: ({ tokenName }) => tokenName },
  { name: 'group', value: ({ group }) => group },
  { name: 'model', value: ({ model }) => model },
  { name: 'channel_id', forAdmins: true, value: ({ channelId }) => channelId },
  { name: 'channel', forAdmins: true, value: ({ channelName }) => channelName },
  { name: 'prompt_tokens', value: ({ promptTokens }) => promptTokens },
  { name: 'completion_tokens', value: ({ completionTokens }) => completionTokens },
  { name: 'quota', value: ({ quotaUnits }) => quotaUnits },
  { name: 'charged_usd', value: ({ quotaUnits }, { quotaPerUnit }) => usd(quotaUnits / quotaPerUnit) },
  // Empty if it is unknown, which is not 0.
  {
    name: 'cost_usd',
    forAdmins: true,
    value: ({ costNano }) => (costNano === undefined ? '' : usd(costNano / NANO_PER_USD)),
  },
  { name: 'duration_ms', value: ({ useTimeMs }) => useTimeMs },
  { name: 'stream', value: ({ isStream }) => (isStream ? 1 : 0) },
  { name: 'ip', value: (row, { hidesAddressesOf }) => (hidesAddressesOf.has(row.userId) ? '' : row.ip) },
  {
    name: 'details',
    value: ({ type, content }, { language }) =>
      type === logType.consume ? '' : shownText(content, language),
  },
];

/** The lines of rows, so many at once, whatever a page has: a thread that writes a file rests after each piece. */
export async function* inPieces(
  pages: LogExport['pages'],
  rowsAPiece: number,
  lineOf: (row: LogRow) => string,
): AsyncGenerator<string, void> {
  const piece = (rows: readonly LogRow[]): string => rows.map(lineOf).join('');
  let rows: readonly LogRow[] = [];
  for await (const page of pages) {
    rows = [...rows, ...page];
    let at = 0;
    for (; at + rowsAPiece <= rows.length; at += rowsAPiece) yield piece(rows.slice(at, at + rowsAPiece));
    rows = rows.slice(at);
  }
  if (rows.length > 0) yield piece(rows);
}

/** Rows as a CSV file, written while the rows are read. */
export const logFile = ({ total, pages }: LogExport, reader: LogReader, rowsAPiece: number): Download => {
  const shown = columns.filter(({ forAdmins }) => reader.isAdmin || forAdmins !== true);
  return {
    fileName: 'logs.csv',
    contentType: 'text/csv; charset=utf-8',
    rows: total,
    async *pieces() {
      const writing = { ...reader, timeOf: isoTimes() };
      yield BYTE_ORDER_MARK + csvLine(shown.map(({ name }) => name));
      yield* inPieces(pages, rowsAPiece, (row) => csvLine(shown.map(({ value }) => value(row, writing))));
    },
  };
};
