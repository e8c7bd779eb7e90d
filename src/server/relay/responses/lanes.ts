import { AppError } from '#core/error.ts';
import type { CreateEvent } from '../../dialects/openai-responses/client-event.ts';
import type { History } from './histories.ts';

/** OpenAI's own limits of a connection (developers.openai.com/api/docs/guides/websocket-mode). */
const MOST_RUNNING = 16;
const MOST_NAMES = 32;
/** Our own limit: OpenAI documents none for waiting events. */
const MOST_WAITING = 64;

/** One sequence of a connection: its responses follow one another. */
export interface Lane {
  readonly streamId: string | undefined;
  isBusy: boolean;
  latest: History | undefined;
}

/** A requested response. */
export interface Turn {
  readonly event: CreateEvent;
  readonly lane: Lane;
  /** The memory its event counts for. */
  readonly bytes: number;
}

/** The lanes of one connection. Decides which turn runs next. */
export class Lanes {
  readonly #lanes = new Map<string | undefined, Lane>();
  readonly #waiting: Turn[] = [];
  #running = 0;

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  /** Throws `invalid_request` for one lane too many, `rate_limited` if too many turns wait. */
  add(event: CreateEvent, bytes: number): void {
    if (this.#waiting.length >= MOST_WAITING)
      throw new AppError(
        'rate_limited',
        `${String(MOST_WAITING)} responses wait on this connection already`,
        {
          reason: 'websocket_queue_limit_reached',
          retryAfterSeconds: 1,
        },
      );
    this.#waiting.push({ event, lane: this.#lane(event.streamId), bytes });
  }

  /** Takes the next turn that may run now; from then on it counts as running. */
  next(): Turn | undefined {
    if (this.#running >= MOST_RUNNING) return undefined;
    const index = this.#waiting.findIndex(({ lane }) => !lane.isBusy);
    if (index === -1) return undefined;
    const [turn] = this.#waiting.splice(index, 1);
    if (turn === undefined) return undefined;
    turn.lane.isBusy = true;
    this.#running += 1;
    return turn;
  }

  over({ lane }: Turn): void {
    lane.isBusy = false;
    this.#running -= 1;
  }

  /** Finds the history of this response, if it is the latest of a lane. */
  find(responseId: string): History | undefined {
    for (const { latest } of this.#lanes.values())
      if (latest?.responseId === responseId && latest.items !== undefined) return latest;
    return undefined;
  }

  /** Forgets everything. Returns the turns that will not run, and the histories they would have continued from. */
  clear(): { readonly turns: readonly Turn[]; readonly histories: readonly History[] } {
    const histories = [...this.#lanes.values()].flatMap(({ latest }) => latest ?? []);
    for (const lane of this.#lanes.values()) lane.latest = undefined;
    return { turns: this.#waiting.splice(0), histories };
  }

  #lane(streamId: string | undefined): Lane {
    const known = this.#lanes.get(streamId);
    if (known !== undefined) return known;
    const named = this.#lanes.size - (this.#lanes.has(undefined) ? 1 : 0);
    if (streamId !== undefined && named >= MOST_NAMES)
      throw new AppError(
        'invalid_request',
        `This WebSocket connection has reached its maximum number of distinct stream IDs (${String(MOST_NAMES)}). ` +
          'Reuse an existing stream_id or open a new WebSocket connection.',
        { param: 'stream_id', reason: 'websocket_stream_limit_reached' },
      );
    const lane: Lane = { streamId, isBusy: false, latest: undefined };
    this.#lanes.set(streamId, lane);
    return lane;
  }
}
