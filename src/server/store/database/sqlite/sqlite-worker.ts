import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { rowsOf } from './sqlite-rows.ts';
import { LAST_RESORT_FRAMES, walCheckpoints, walLimits } from './wal-checkpoints.ts';

/** How the thread is started. */
export interface SqliteWorkerData {
  readonly file: string;
  /** `read`: for long reads. `read, copy`: also copies the write-ahead log into the database in between. */
  readonly role: 'write' | 'read' | 'read, copy';
}

/** What a client sends: one statement, or one batch of the ledger (see ledger-wire.ts). */
export type SqliteRequest =
  | { readonly id: number; readonly sql: string; readonly parameters: readonly SQLInputValue[] }
  | { readonly id: number; readonly ledger: readonly unknown[] };

/** Sent only by the thread that started this one: a further client, whose holds carry this id, joins or leaves. */
export type SqliteVisit =
  | { readonly id: number; readonly enter: MessagePort; readonly nodeId: number }
  | { readonly id: number; readonly leave: number };

export interface SqliteAnswer {
  readonly id: number;
  readonly rows: unknown[];
  readonly changes: number;
  readonly error?: string;
}

const STATEMENTS_KEPT = 500;
/** A longer log file is truncated to this size. */
const WAL_FILE_BYTES = 64 * 1024 * 1024;
/** Mostly for pages that were just written; pages of the file are read from the operating system's cache. */
const CACHE_KIB = 8 * 1024;
const COPY_EVERY_MS = 250;
/** How long a writer may wait for readers when it restarts the log. */
const COPY_TIMEOUT_MS = 100;
const port = parentPort;
if (port === null) throw new Error('sqlite-worker.ts runs as a worker thread');

const open = ({ file, role }: SqliteWorkerData): DatabaseSync => {
  const readOnly = role !== 'write';
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true });
  if (!readOnly)
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LAST_RESORT_FRAMES};
       PRAGMA journal_size_limit = ${WAL_FILE_BYTES}`,
    );
  database.exec(
    `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824`,
  );
  return database;
};

/** Adds the file's path to SQLite's message, which names none. */
const openNamed = (data: SqliteWorkerData): DatabaseSync => {
  try {
    return open(data);
  } catch (thrown) {
    throw new Error(`${data.file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
      cause: thrown,
    });
  }
};

const data = workerData as SqliteWorkerData;
const database = openNamed(data);
if (data.role === 'read, copy') {
  const copyBack = walCheckpoints(new DatabaseSync(data.file, { timeout: COPY_TIMEOUT_MS }), walLimits);
  setInterval(() => {
    try {
      copyBack();
    } catch {
      // A full or missing disk is reported to writers; the next round tries again.
    }
  }, COPY_EVERY_MS);
}
const statements = new Map<string, StatementSync>();
/** Loaded only by the thread that writes: loading it would double the time a reading thread takes to start. */
const createLedger =
  data.role === 'write' ? (await import('../../ledger/sqlite-ledger.ts')).createSqliteLedger : undefined;
let ledger: ReturnType<NonNullable<typeof createLedger>> | undefined;

const prepared = (sql: string): StatementSync => {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  if (statements.size >= STATEMENTS_KEPT) statements.clear();
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  return statement;
};

/** A thread that sends queries; its holds carry `nodeId`. */
interface Client {
  readonly port: Pick<MessagePort, 'postMessage' | 'close'>;
  readonly nodeId: number | null;
}

const answer = (request: SqliteRequest, nodeId: number | null): SqliteAnswer => {
  if ('ledger' in request) {
    ledger ??= createLedger?.(database);
    if (ledger === undefined) throw new Error('this thread only reads');
    return { id: request.id, rows: ledger(request.ledger, nodeId), changes: 0 };
  }
  const statement = prepared(request.sql);
  if (statement.columns().length > 0) {
    const rows = rowsOf(statement, request.sql, request.parameters);
    return { id: request.id, rows, changes: rows.length };
  }
  return { id: request.id, rows: [], changes: Number(statement.run(...request.parameters).changes) };
};

const answerAnyway = ({ port: to, nodeId }: Client, request: SqliteRequest): void => {
  try {
    to.postMessage(answer(request, nodeId));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    to.postMessage({ id: request.id, rows: [], changes: 0, error: message } satisfies SqliteAnswer);
  }
};

const guests = new Map<number, Client>();
/** The client whose transaction is open: others wait until it ends. */
let owner: Client | undefined;
let waiting: { readonly client: Client; readonly request: SqliteRequest }[] = [];

const take = (client: Client, request: SqliteRequest): void => {
  if (owner !== undefined && owner !== client) {
    waiting.push({ client, request });
    return;
  }
  answerAnyway(client, request);
  owner = database.isTransaction ? client : undefined;
};

const takeWaiting = (): void => {
  while (owner === undefined) {
    const next = waiting.shift();
    if (next === undefined) return;
    take(next.client, next.request);
  }
};

const received = (client: Client, request: SqliteRequest): void => {
  take(client, request);
  takeWaiting();
};

/** Queries that a dead thread had sent are done; its open transaction is rolled back. */
const leave = (nodeId: number): void => {
  const gone = guests.get(nodeId);
  if (gone === undefined) return;
  guests.delete(nodeId);
  gone.port.close();
  waiting = waiting.filter(({ client }) => client !== gone);
  if (owner !== gone) return;
  if (database.isTransaction) database.exec('ROLLBACK');
  owner = undefined;
  takeWaiting();
};

const visit = (asked: SqliteVisit): void => {
  if ('leave' in asked) leave(asked.leave);
  else {
    const guest: Client = { port: asked.enter, nodeId: asked.nodeId };
    guests.set(asked.nodeId, guest);
    asked.enter.on('message', (request: SqliteRequest) => received(guest, request));
  }
  port.postMessage({ id: asked.id, rows: [], changes: 0 } satisfies SqliteAnswer);
};

const starter: Client = { port, nodeId: null };
port.on('message', (request: SqliteRequest | SqliteVisit) => {
  if ('enter' in request || 'leave' in request) visit(request);
  else received(starter, request);
});
