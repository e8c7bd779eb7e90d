import { awakeSignal } from '#core/time/awake-timer.ts';
import {
  askAgainAtMs,
  BACKGROUND_LIFE_MS,
  type BackgroundResponse,
  type BackgroundResponseStore,
} from '#core/kept/background-response.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { steadyTime } from '#core/time/steady-time.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { AnswerRoom } from '../answer/answer-room.ts';
import { readKept } from '../far/far-kept.ts';
import { tapFrame } from '../../dialects/openai-responses/tap.ts';
import { newMeter, noteFrame } from '../bill/meter.ts';
import { endCounted } from '../caller/model-rate.ts';
import type { RelayDeps } from '../ports.ts';
import type { Answered, Held } from '../stages.ts';
import { askKept, type AskDeps } from './ask-kept.ts';
import {
  billOf,
  type LastState,
  mergeShown,
  readBill,
  shownOf,
  closeBackground,
  type CloseDeps,
} from './background-bill.ts';
import { isOver, isUnfinished } from '../../dialects/openai-responses/reply/response-status.ts';
import { keeperOf } from './find-kept.ts';
import { type SeenResponse, type Shown, shownBy } from './kept-reply.ts';
import { responseOf } from './response-fields.ts';

/** Nobody sees the replies to polls, so nothing is masked. */
const NOTHING_TO_MASK = new Secrets([]);
const BATCH_SIZE = 32;
const POLL_TIMEOUT_MS = 20_000;
/** Longer than one poll takes; until then no other node polls the same response. */
const POLLING_MS = 60_000;
/** A call that has no response id by then has ended, or its process was killed. */
const NO_ID_LIFE_MS = 3_600_000;
/** An upstream may not know a new response for a moment. */
const UNKNOWN_AFTER_MS = 60_000;

export type BackgroundDeps = AskDeps &
  CloseDeps &
  Pick<RelayDeps, 'log' | 'isHeardElsewhere' | 'modelRates' | 'farThreads'> & {
    readonly backgroundResponses: BackgroundResponseStore;
    readonly answers: AnswerRoom;
  };

/** A reader that receives a response while it is being made. */
export interface Listener {
  /** One event that was sent to the reader. */
  received(frame: Frame): void;
  end(): Promise<void>;
}

/**
 * Responses made in the background. Their holds stay open until their end is seen, either by a reader's request or by
 * `run`, which polls all of them.
 */
export class BackgroundResponses {
  readonly #deps: BackgroundDeps;
  /** The number of readers that receive a response from this relay right now, by hold. */
  readonly #listeners = new Map<string, number>();
  /**
   * The age of responses is measured with a clock that nobody can set, so that setting the system clock forward expires
   * none.
   */
  readonly #steadyMs: () => number;

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
    this.#steadyMs = steadyTime(deps.clock);
  }

  /** Stores the call's bill before the call is sent. From now on a crash does not end the hold. */
  async begin(held: Held): Promise<void> {
    const { call, caller, request, createdAtMs } = held;
    await this.#deps.backgroundResponses.add({
      holdId: call.requestId,
      userId: caller.user.id,
      responseId: '',
      channelId: 0,
      keyId: 0,
      model: request.facts.model,
      createdAtMs,
      askAtMs: createdAtMs + NO_ID_LIFE_MS,
      bill: JSON.stringify(billOf(held)),
    });
  }

  /** Stores the response id. If the response is still being made, the call no longer charges it. */
  async accepted(answered: Answered): Promise<void> {
    const { answer, call, channel, createdAtMs, live } = answered;
    const response = responseOf(answer);
    if (response === undefined || typeof response['id'] !== 'string') return;
    const isDetached = answer.kind === 'whole' && isUnfinished(response);
    // An accepted response has produced nothing yet: if nothing follows, nothing is charged.
    if (isDetached) live.meter = newMeter();
    const nowMs = this.#deps.clock.now();
    const holdId = call.requestId;
    await this.#deps.backgroundResponses.change(holdId, {
      responseId: response['id'],
      channelId: channel.id,
      keyId: channel.keyId,
      bill: JSON.stringify(billOf(answered, shownBy(response))),
      askAtMs: askAgainAtMs(createdAtMs, nowMs) + (answer.kind === 'stream' ? POLLING_MS : 0),
    });
    if (answer.kind === 'stream') {
      live.background = 'accepted';
      this.#listen(holdId);
    }
    if (isDetached) this.#detach(answered);
  }

  /** Ends the call. Charges it now if the end of its response was seen, else once it is. */
  async end(held: Held, settle: () => Promise<void>): Promise<void> {
    const { live, call, createdAtMs } = held;
    if (live.background === 'detached') return;
    const holdId = call.requestId;
    const isAccepted = live.background === 'accepted';
    if (!isAccepted || live.meter.finished) {
      await settle();
      await this.#logged(() => this.#deps.backgroundResponses.forget(holdId));
      if (isAccepted) this.#unlisten(holdId);
      return;
    }
    this.#detach(held);
    const bill = JSON.stringify(billOf(held));
    const askAtMs = askAgainAtMs(createdAtMs, this.#deps.clock.now());
    await this.#logged(() => this.#deps.backgroundResponses.change(holdId, { bill, askAtMs }));
    this.#unlisten(holdId);
  }

  /** Whether a reader is receiving the response of that hold right now. */
  isHeard(holdId: string): boolean {
    return this.#listeners.has(holdId);
  }

  find(userId: number, responseId: string): Promise<BackgroundResponse | undefined> {
    return this.#deps.backgroundResponses.find(userId, responseId);
  }

  /** Charges the response if it has finished; otherwise stores what was seen of it. Returns whether it was charged. */
  async observe(background: BackgroundResponse, response: SeenResponse): Promise<boolean> {
    if (isOver(response)) return this.#close(background, { response });
    await this.#storeShown(background, response.shown);
    return false;
  }

  /** Records what a reader receives of a response. Until the reader ends, its hold is not given back. */
  listen(background: BackgroundResponse): Listener {
    const meter = newMeter();
    this.#listen(background.holdId);
    return {
      received: (frame) => noteFrame(meter, frame, tapFrame(frame)),
      end: async () => {
        await this.#logged(() => this.#storeShown(background, shownOf(meter)));
        this.#unlisten(background.holdId);
      },
    };
  }

  /** Polls upstreams for the responses that are due, and charges those that have finished. */
  async run(): Promise<void> {
    const { clock, backgroundResponses } = this.#deps;
    const nowMs = clock.now();
    const due = await backgroundResponses.takeDue(nowMs, nowMs + POLLING_MS, BATCH_SIZE);
    await Promise.all(due.map((background) => this.#logged(() => this.#poll(background))));
  }

  async #poll(background: BackgroundResponse): Promise<void> {
    const { clock, backgroundResponses } = this.#deps;
    const state = await this.#stateOf(background);
    const isEnd = state !== undefined && ('lost' in state || isOver(state.response));
    if (isEnd && (await this.#close(background, state))) return;
    if (state !== undefined && 'response' in state) await this.#storeShown(background, state.response.shown);
    const askAtMs = askAgainAtMs(background.createdAtMs, clock.now());
    await backgroundResponses.change(background.holdId, { askAtMs });
  }

  /** A response's state as its upstream reports it; undefined if it cannot be found out now. */
  async #stateOf(background: BackgroundResponse): Promise<LastState | undefined> {
    const { routing } = this.#deps;
    const { responseId, channelId, keyId, createdAtMs } = background;
    const ageMs = this.#steadyMs() - createdAtMs;
    if (responseId === '')
      return ageMs < NO_ID_LIFE_MS ? undefined : { lost: 'the response was never accepted' };
    const isTooOld = ageMs > BACKGROUND_LIFE_MS;
    const keeper = keeperOf(this.#deps, routing().channels.get(channelId), keyId);
    // No state for now: the channel may be repaired later.
    if (keeper === undefined)
      return ageMs < NO_ID_LIFE_MS ? undefined : { lost: 'the channel of the response is gone' };
    const reported = await this.#fetch(background, 'read');
    // A start in the future means that the clock was set back: the age is unknown.
    if (reported === 'unknown' && Math.abs(ageMs) > UNKNOWN_AFTER_MS)
      return { lost: 'the upstream no longer knows the response' };
    if (typeof reported === 'object' && isOver(reported)) return { response: reported };
    if (!isTooOld) return typeof reported === 'object' ? { response: reported } : undefined;
    const cancelled = await this.#fetch(background, 'cancel');
    if (typeof cancelled === 'object' && isOver(cancelled)) return { response: cancelled };
    return { lost: 'the response did not end within a day' };
  }

  /** Reads or cancels a response at its upstream; returns it as the upstream reports it then. */
  async #fetch(
    background: BackgroundResponse,
    operation: 'read' | 'cancel',
  ): Promise<SeenResponse | 'unknown' | 'silent'> {
    const { channelId, keyId } = background;
    const keeper = keeperOf(this.#deps, this.#deps.routing().channels.get(channelId), keyId);
    if (keeper === undefined) return 'silent';
    const room = this.#deps.answers.open({ userId: background.userId, ip: '' });
    try {
      const signal = awakeSignal(POLL_TIMEOUT_MS);
      const reply = await askKept(this.#deps, keeper, { ...background, operation }, signal);
      const pieces = await room.read(reply.body);
      if (reply.status === 404) return 'unknown';
      if (reply.status >= 300) return 'silent';
      return (await readKept(this.#deps.farThreads, pieces, NOTHING_TO_MASK)).reply;
    } catch (error) {
      this.#deps.log.warn('a background response could not be polled', {
        channel: background.channelId,
        error,
      });
      return 'silent';
    } finally {
      room.release();
    }
  }

  /** Cancels a response that is about to be deleted, because its end cannot be read afterwards. */
  async endNow(background: BackgroundResponse): Promise<void> {
    const read = await this.#fetch(background, 'read');
    const reported =
      typeof read === 'object' && isUnfinished(read) ? await this.#fetch(background, 'cancel') : read;
    if (typeof reported === 'object') await this.observe(background, reported);
  }

  /** An end without usage is charged by what readers have received, so it waits until no reader is left. */
  async #close(background: BackgroundResponse, state: LastState): Promise<boolean> {
    const hasUsage = 'response' in state && state.response.shown.reported !== undefined;
    const { backgroundResponses, isHeardElsewhere } = this.#deps;
    const { holdId } = background;
    if (!hasUsage && (this.isHeard(holdId) || (await isHeardElsewhere?.(holdId)) === true)) return false;
    // The stored bill may have grown since `background` was read.
    const now = await backgroundResponses.find(background.userId, background.responseId);
    await closeBackground(this.#deps, now ?? background, state);
    return true;
  }

  async #storeShown(background: BackgroundResponse, shown: Shown): Promise<void> {
    const { backgroundResponses } = this.#deps;
    const now = await backgroundResponses.find(background.userId, background.responseId);
    if (now === undefined) return;
    const bill = readBill(now.bill);
    const merged = mergeShown(bill.shown, shown);
    if (merged.outputBytes === bill.shown.outputBytes && merged.produced === bill.shown.produced) return;
    await backgroundResponses.change(now.holdId, { bill: JSON.stringify({ ...bill, shown: merged }) });
  }

  /** From now on the call does not close its hold. */
  #detach(held: Held): void {
    held.live.background = 'detached';
    held.live.holdState = 'closed';
    this.#deps.metrics.holdClosed();
    endCounted(this.#deps, held, 'succeeded');
  }

  #listen(holdId: string): void {
    this.#listeners.set(holdId, (this.#listeners.get(holdId) ?? 0) + 1);
  }

  #unlisten(holdId: string): void {
    const others = (this.#listeners.get(holdId) ?? 1) - 1;
    if (others === 0) this.#listeners.delete(holdId);
    else this.#listeners.set(holdId, others);
  }

  /** Logs a failure; the next run tries again. */
  async #logged(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#deps.log.error('a background response could not be updated', { error });
    }
  }
}
