import { setImmediate as immediately } from 'node:timers/promises';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import { sayError } from '../control/refuse.ts';
import type { Download } from './handler.ts';

/** The header that says how many rows a file will have. */
const ROWS_HEADER = 'X-Total-Rows';

const MOST_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 10;
/** A client that takes nothing for this long counts as gone. */
const MOST_IDLE_MS = 60_000;

/** The files being sent: one per user, and only a few in total. A slow reader keeps its place. */
export class Downloads {
  readonly #users = new Set<number>();
  readonly #log: Pick<Log, 'error'>;
  readonly #mostIdleMs: number;

  constructor(log: Pick<Log, 'error'>, mostIdleMs = MOST_IDLE_MS) {
    this.#log = log;
    this.#mostIdleMs = mostIdleMs;
  }

  /** Makes a file and sends it. Throws `rate_limited`, or what making it throws. */
  async send(userId: number, make: () => Promise<Download>): Promise<Response> {
    const isRunning = this.#users.has(userId);
    if (isRunning || this.#users.size >= MOST_AT_ONCE) {
      const why = isRunning ? 'download_running' : 'downloads_full';
      throw sayError('rate_limited', why, {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#users.add(userId);
    const release = (): void => {
      this.#users.delete(userId);
    };
    try {
      return sendDownload(await make(), this.#log, this.#mostIdleMs, release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }
}

/**
 * Sends a file piece by piece, making the next piece once the last one is on its way. If it fails midway, the
 * connection breaks, so that nobody mistakes a part for the whole.
 */
const sendDownload = (
  file: Download,
  log: Pick<Log, 'error'>,
  mostIdleMs: number,
  release: () => void,
): Response => {
  const pieces = file.pieces();
  const encoder = new TextEncoder();
  let timer: AwakeTimer | undefined;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    timer?.stop();
    release();
    await pieces.return(undefined);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        timer = new AwakeTimer(mostIdleMs, () => {
          controller.error(new AppError('client_closed', 'nobody reads the file'));
          void end();
        });
      },
      pull: async (controller) => {
        try {
          // Leaves time for calls between pieces, even if the file is read as fast as it is made.
          await immediately();
          const { done, value } = await pieces.next();
          if (isOver) return;
          timer?.restart();
          if (done !== true)
            return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
          await end();
          controller.close();
        } catch (thrown) {
          log.error('a file broke off', { error: asAppError(thrown).cause ?? thrown });
          void end();
          controller.error(thrown);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'Content-Type': file.contentType,
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [ROWS_HEADER]: String(file.rows),
    },
  });
};
