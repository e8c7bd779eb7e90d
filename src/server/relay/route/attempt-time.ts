import { AwakeTimer } from '#core/time/awake-timer.ts';
import { tooLate, type LateStep } from '#core/channel/health/patience.ts';
import type { OutboundPieces, OutboundRequest } from '#core/outbound/outbound.ts';
import type { LiveAttempt } from '../live-attempt.ts';

/** The time limit of one attempt, until there is something to show the caller. */
export interface AttemptTime {
  /** Aborts when the attempt or the call is given up. */
  readonly signal: AbortSignal;
  /** The same request, with a body whose upload does not count while we wait for the caller. */
  timed(request: OutboundRequest): OutboundRequest;
  /** Starts the time limit of this step; it replaces the last one. */
  readonly limit: (step: LateStep, limitMs: number) => void;
}

/**
 * Runs one attempt until it has an answer to show. When a limit passes, the attempt is stopped whatever it waits for:
 * DNS, a token for the key, headers, an event among comments, a body that arrives byte by byte. Rejects with the step
 * that timed out, and leaves nothing open.
 */
export const inTime = <Value>(
  { abort }: LiveAttempt,
  begin: (time: AttemptTime) => Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
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

/** While we wait for the caller's next piece the limit is paused; each piece the upstream takes restarts it. */
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
