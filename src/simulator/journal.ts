import type { IncomingMessage, ServerResponse } from 'node:http';

const KEPT = 200;

/** One call, for tests. */
export interface JournalEntry {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** `open`; `finished` when the answer was sent to its end; `cut` when either side broke it off. */
  state: 'open' | 'finished' | 'cut';
}

export interface JournalReport {
  /** Calls that arrived since the start or the last reset. */
  readonly count: number;
  /** Calls that have not ended. */
  readonly open: number;
  /** Open connections, including idle ones. */
  readonly connections: number;
  /** Calls that followed the redirect. */
  readonly trapped: number;
  readonly byModel: Readonly<Record<string, number>>;
  /** The newest calls, at most 200, oldest first. */
  readonly calls: readonly JournalEntry[];
  readonly last: JournalEntry | undefined;
}

/** Records the calls that arrive. */
export const createJournal = () => {
  let count = 0;
  let open = 0;
  let connections = 0;
  let trapped = 0;
  let byModel: Record<string, number> = {};
  let calls: JournalEntry[] = [];

  return {
    arrived(request: IncomingMessage, response: ServerResponse, model: string, body: unknown): void {
      const entry: JournalEntry = {
        id: (count += 1),
        method: request.method ?? '',
        path: request.url ?? '',
        model,
        headers: request.headers,
        body,
        state: 'open',
      };
      byModel[model] = (byModel[model] ?? 0) + 1;
      calls.push(entry);
      if (calls.length > KEPT) calls.shift();
      open += 1;
      response.once('close', () => {
        open -= 1;
        entry.state = response.writableFinished ? 'finished' : 'cut';
      });
    },
    /** Counts a call without recording it. */
    counted(): void {
      count += 1;
    },
    connected(closed: (listener: () => void) => void): void {
      connections += 1;
      closed(() => (connections -= 1));
    },
    trapped(): void {
      trapped += 1;
    },
    reset(): void {
      count = 0;
      trapped = 0;
      byModel = {};
      calls = [];
    },
    report: (): JournalReport => ({ count, open, connections, trapped, byModel, calls, last: calls.at(-1) }),
  };
};
