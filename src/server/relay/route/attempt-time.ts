import { AwakeTimer } from '#core/time/awake-timer.ts';
import { tooLate, type LateStep } from '#core/channel/health/patience.ts';
import type { GiveUpSignal } from '#core/outbound/give-up.ts';
import type { OutboundPieces, OutboundRequest } from '#core/outbound/outbound.ts';
import type { AppError } from '#core/error.ts';
import type { LiveAttempt } from '../live-attempt.ts';

/** The time limit of one attempt, until there is something to show the caller. */
export class AttemptTime {
  readonly #attempt: Pick<LiveAttempt, 'abort'>;
  readonly #late: (late: AppError) => void;
  #timer: AwakeTimer | undefined;

  constructor(attempt: Pick<LiveAttempt, 'abort'>, late: (late: AppError) => void) {
    this.#attempt = attempt;
    this.#late = late;
  }

  /** Aborts when the attempt or the call is given up. */
  get signal(): GiveUpSignal {
    return this.#attempt.abort;
  }

  /** Starts the time limit of this step; it replaces the last one. */
  limit(step: LateStep, limitMs: number): void {
    this.stop();
    this.#timer = new AwakeTimer(limitMs, () => {
      const late = tooLate(step, limitMs);
      this.#late(late);
      this.#attempt.abort.abort(late);
    });
  }

  stop(): void {
    this.#timer?.stop();
  }

  /** The same request, with a body whose upload does not count while we wait for the caller. */
  timed(request: OutboundRequest): OutboundRequest {
    const { body } = request;
    if (typeof body !== 'object' || Buffer.isBuffer(body)) return request;
    const pieces = (): AsyncGenerator<Buffer> => timedPieces(body, () => this.#timer);
    return { ...request, body: { length: body.length, pieces } };
  }
}

/**
 * Runs one attempt until it has an answer to show. When a limit passes, the attempt is stopped whatever it waits for:
 * DNS, a token for the key, headers, an event among comments, a body that arrives byte by byte. Rejects with the step
 * that timed out, and leaves nothing open.
 */
export const inTime = <Value>(
  attempt: Pick<LiveAttempt, 'abort'>,
  begin: (time: AttemptTime) => Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const time = new AttemptTime(attempt, reject);
    begin(time).then(
      (value) => {
        time.stop();
        resolve(value);
      },
      (thrown: unknown) => {
        time.stop();
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      },
    );
  });

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
