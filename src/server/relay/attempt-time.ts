import { AwakeTimer } from '#core/awake-timer.ts';
import { tooLate, type LateStep } from '#core/channel/patience.ts';
import type { OutboundPieces, OutboundRequest } from '#core/outbound.ts';
import type { Running } from './running.ts';

/** The time one attempt has until the caller could be shown something. */
export interface AttemptTime {
  /** Ends when the attempt was given up, or the call. */
  readonly signal: AbortSignal;
  /** The request, sending which is time of the caller while it waits for that. */
  timed(request: OutboundRequest): OutboundRequest;
  /** From now on it is an answer, and the caller's. */
  readonly limit: (step: LateStep, limitMs: number) => void;
}

/**
 * Runs one attempt until it has an answer to show. Once its time is over it is given up, whatever it waits for: a name, a
 * token for the key, a head, an event among comments, a body that comes by the byte. Rejects with what was late; nothing of
 * it stays open.
 */
export const inTime = <Value>(
  running: Running,
  begin: (time: AttemptTime) => Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = running.beginAttempt();
    let timer: AwakeTimer | undefined;
    const time: AttemptTime = {
      signal: abort.signal,
      limit: (step, limitMs) => {
        timer?.stop();
        timer = new AwakeTimer(limitMs, () => {
          const late = tooLate(step, limitMs);
          reject(late);
          abort.abort(late);
        });
      },
      timed: (request) => timedBody(request, () => timer),
    };
    begin(time).then(
      (value) => {
        timer?.stop();
        resolve(value);
      },
      (thrown: unknown) => {
        timer?.stop();
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      },
    );
  });

const timedBody = (request: OutboundRequest, timer: () => AwakeTimer | undefined): OutboundRequest => {
  const { body } = request;
  if (typeof body !== 'object' || Buffer.isBuffer(body)) return request;
  return { ...request, body: { length: body.length, pieces: () => timedPieces(body, timer) } };
};

/** While a piece is asked for, it is us the upstream waits for; each piece it takes begins its time anew. */
async function* timedPieces(
  body: OutboundPieces,
  timer: () => AwakeTimer | undefined,
): AsyncGenerator<Buffer> {
  timer()?.stop();
  for await (const piece of body.pieces()) {
    timer()?.restart();
    yield piece;
    timer()?.stop();
  }
  timer()?.restart();
}
