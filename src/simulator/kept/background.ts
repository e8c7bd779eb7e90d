import { asJson, pause, startStream, write, type Call, type Json } from '../wire.ts';

/** How long a background response is queued and in progress, and how it ends. */
interface Course {
  readonly queuedMs: number;
  readonly workMs: number;
  readonly end: string;
}

/**
 * The course the caller asked for in `metadata`: `queued_ms`, `work_ms`, and as `end` `completed`, `failed`, `never`
 * (works on for ever) or `lost` (nobody knows it once it is done).
 */
const courseOf = (body: Json): Course => {
  const { queued_ms, work_ms, end } = asJson(body['metadata']);
  return {
    queuedMs: Number(queued_ms ?? 20),
    workMs: Number(work_ms ?? 20),
    end: typeof end === 'string' ? end : 'completed',
  };
};

/** A background response: https://platform.openai.com/docs/guides/background */
export class BackgroundWork {
  readonly #course: Course;
  readonly #startedMs = Date.now();
  readonly #whole: Json;
  #isCancelled = false;

  constructor(body: Json, whole: Json) {
    this.#course = courseOf(body);
    this.#whole = { ...whole, background: true, store: true };
  }

  get isLost(): boolean {
    return this.#course.end === 'lost' && this.#isDone;
  }

  get #isDone(): boolean {
    const { queuedMs, workMs } = this.#course;
    return Date.now() - this.#startedMs >= queuedMs + workMs;
  }

  /** Cancels it, unless it has ended. Cancelling twice changes nothing. */
  cancel(): void {
    if (this.#course.end === 'never' || !this.#isDone) this.#isCancelled = true;
  }

  /** The response as it is now. */
  read(): Json {
    const { queuedMs, end } = this.#course;
    const begun = { ...this.#whole, output: [], usage: null, incomplete_details: null };
    if (this.#isCancelled) return { ...begun, status: 'cancelled' };
    if (Date.now() - this.#startedMs < queuedMs) return { ...begun, status: 'queued' };
    if (end === 'never' || !this.#isDone) return { ...begun, status: 'in_progress' };
    if (end !== 'failed') return this.#whole;
    return { ...begun, status: 'failed', error: { code: 'server_error', message: 'The work failed.' } };
  }

  /** Streams its events from a sequence number on, each at its time; stops when it is cancelled. */
  async stream(response: Call['response'], events: readonly string[], after: number): Promise<void> {
    const { queuedMs, workMs } = this.#course;
    startStream(response);
    for (const [at, text] of events.entries()) {
      const isDueMs = at === 0 ? 0 : queuedMs + (workMs * at) / events.length;
      await pause(response, this.#startedMs + isDueMs - Date.now());
      if (this.#isCancelled || response.destroyed) return void response.destroy();
      if (at > after) await write(response, text);
    }
    const leftMs = (): number => this.#startedMs + queuedMs + workMs - Date.now();
    // A timer may fire a millisecond early.
    while (leftMs() > 0 && !response.destroyed) await pause(response, leftMs());
    const last = this.read();
    if (this.#isCancelled || last['status'] === 'in_progress') return void response.destroy();
    const type = `response.${String(last['status'])}`;
    const data = JSON.stringify({ type, sequence_number: events.length, response: last });
    response.end(`event: ${type}\ndata: ${data}\n\n`);
  }
}
