import { awakeSignal } from '#core/awake-timer.ts';
import {
  askAgainAtMs,
  BACKGROUND_LIFE_MS,
  type BackgroundResponse,
  type BackgroundResponseStore,
} from '#core/kept/background-response.ts';
import { asAppError } from '#core/error.ts';
import { readAll } from '#core/read-all.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { Fields } from '../../dialects/openai/fields.ts';
import { tapFrame } from '../../dialects/openai-responses/tap.ts';
import type { Answer } from '../answer.ts';
import { newMeter, noteFrame } from '../meter.ts';
import { endCounted } from '../model-rate.ts';
import type { RelayDeps } from '../ports.ts';
import { known, type Running } from '../running.ts';
import { askKept, type AskDeps } from './ask-kept.ts';
import {
  billOf,
  isOver,
  isUnfinished,
  type LastWord,
  mergeShown,
  readBill,
  type Shown,
  shownBy,
  shownOf,
} from './background-bill.ts';
import { closeBackground, type CloseDeps } from './close-background.ts';
import { keeperOf } from './find-kept.ts';
import { responseOf } from './response-of.ts';

const AT_ONCE = 32;
const ASK_TIMEOUT_MS = 20_000;
/** Longer than asking takes: until then no other node asks for the same. */
const ASKING_MS = 60_000;
/** A call that never got an id is over by then, or was killed. */
const HANDOVER_MS = 3_600_000;
/** A response that has only just been made may be unknown for a moment. */
const UNKNOWN_AFTER_MS = 60_000;
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

export type BackgroundDeps = AskDeps &
  CloseDeps &
  Pick<RelayDeps, 'log' | 'modelRates'> & { readonly backgroundResponses: BackgroundResponseStore };

/** Somebody is shown a response while it is made. */
export interface Listener {
  /** One event it was shown. */
  heard(frame: Frame): void;
  end(): Promise<void>;
}

/**
 * Responses that are made while nobody waits. Their holds stay open until their end is seen: by whoever asks for them, or
 * by `run`, which asks for all of them again and again.
 */
export class BackgroundResponses {
  readonly #deps: BackgroundDeps;
  /** Holds of responses that are shown to somebody here right now. */
  readonly #listeners = new Map<string, number>();

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** Writes down what a call has held, before it is sent: from now on a crash does not end the hold. */
  async begin(running: Running): Promise<void> {
    await this.#deps.backgroundResponses.add({
      holdId: running.call.requestId,
      userId: known(running.caller, 'authenticate').user.id,
      responseId: '',
      channelId: 0,
      model: known(running.asked, 'read').facts.model,
      createdAtMs: running.createdAtMs,
      askAtMs: running.createdAtMs + HANDOVER_MS,
      bill: JSON.stringify(billOf(running)),
    });
  }

  /** Writes down which response the upstream makes of a call. One that is not over yet is no longer the call's to charge. */
  async taken(running: Running, answer: Answer): Promise<void> {
    const response = responseOf(answer);
    if (response === undefined || typeof response['id'] !== 'string') return;
    const isLeft = answer.kind === 'whole' && isUnfinished(response);
    // That it was taken is nothing a caller could see, should nothing more come of it.
    if (isLeft) running.meter = newMeter();
    const nowMs = this.#deps.clock.now();
    const holdId = running.call.requestId;
    await this.#deps.backgroundResponses.change(holdId, {
      responseId: response['id'],
      channelId: known(running.channel, 'choose').id,
      bill: JSON.stringify(billOf(running, shownBy(response))),
      askAtMs: askAgainAtMs(running.createdAtMs, nowMs) + (answer.kind === 'stream' ? ASKING_MS : 0),
    });
    if (answer.kind === 'stream') {
      running.background = 'taken';
      this.#listen(holdId);
    }
    if (isLeft) this.#leave(running);
  }

  /** Ends a call: charged now where its end was seen, else when it is. */
  async end(running: Running, settle: () => Promise<void>): Promise<void> {
    if (running.background === 'left' || running.holdState === 'none') return;
    const holdId = running.call.requestId;
    const isTaken = running.background === 'taken';
    if (!isTaken || running.meter.finished) {
      await settle();
      await this.#quietly(() => this.#deps.backgroundResponses.forget(holdId));
      if (isTaken) this.#unlisten(holdId);
      return;
    }
    this.#leave(running);
    const bill = JSON.stringify(billOf(running));
    const askAtMs = askAgainAtMs(running.createdAtMs, this.#deps.clock.now());
    await this.#quietly(() => this.#deps.backgroundResponses.change(holdId, { bill, askAtMs }));
    this.#unlisten(holdId);
  }

  find(userId: number, responseId: string): Promise<BackgroundResponse | undefined> {
    return this.#deps.backgroundResponses.find(userId, responseId);
  }

  /** Charges a response that is over; remembers what one that is not has shown. Says whether it was charged. */
  async saw(background: BackgroundResponse, response: Fields): Promise<boolean> {
    if (isOver(response)) return this.#close(background, { response });
    await this.#remember(background, shownBy(response));
    return false;
  }

  /** Notes what somebody is shown of a response, and that it must not be given back meanwhile. */
  listen(background: BackgroundResponse): Listener {
    const meter = newMeter();
    this.#listen(background.holdId);
    return {
      heard: (frame) => noteFrame(meter, frame, tapFrame(frame)),
      end: async () => {
        await this.#quietly(() => this.#remember(background, shownOf(meter)));
        this.#unlisten(background.holdId);
      },
    };
  }

  /** Asks upstreams how their responses are, and charges those that are over. */
  async run(): Promise<void> {
    const { clock, backgroundResponses } = this.#deps;
    const nowMs = clock.now();
    const due = await backgroundResponses.takeDue(nowMs, nowMs + ASKING_MS, AT_ONCE);
    await Promise.all(due.map((background) => this.#quietly(() => this.#ask(background))));
  }

  async #ask(background: BackgroundResponse): Promise<void> {
    const { clock, backgroundResponses } = this.#deps;
    const word = await this.#lastWord(background);
    const isEnd = word !== undefined && ('lost' in word || isOver(word.response));
    if (isEnd && (await this.#close(background, word))) return;
    if (word !== undefined && 'response' in word) await this.#remember(background, shownBy(word.response));
    const askAtMs = askAgainAtMs(background.createdAtMs, clock.now());
    await backgroundResponses.change(background.holdId, { askAtMs });
  }

  /** How a response is, by its upstream; undefined where that cannot be told now. */
  async #lastWord(background: BackgroundResponse): Promise<LastWord | undefined> {
    const { clock, routing } = this.#deps;
    const { responseId, channelId, createdAtMs } = background;
    const ageMs = clock.now() - createdAtMs;
    if (responseId === '')
      return ageMs < HANDOVER_MS ? undefined : { lost: 'the response was not handed over' };
    const isTooOld = ageMs > BACKGROUND_LIFE_MS;
    const keeper = keeperOf(this.#deps, routing().channels.get(channelId));
    // One that cannot be read may be mended.
    if (keeper === undefined)
      return ageMs < HANDOVER_MS ? undefined : { lost: 'the channel of the response is gone' };
    const told = await this.#told(background, 'read');
    if (told === 'unknown' && ageMs > UNKNOWN_AFTER_MS)
      return { lost: 'the upstream does not know the response any more' };
    if (typeof told === 'object' && isOver(told)) return { response: told };
    if (!isTooOld) return typeof told === 'object' ? { response: told } : undefined;
    const cancelled = await this.#told(background, 'cancel');
    if (typeof cancelled === 'object' && isOver(cancelled)) return { response: cancelled };
    return { lost: 'the response did not end within a day' };
  }

  /** A response as its upstream has it after a question about it. */
  async #told(
    background: BackgroundResponse,
    operation: 'read' | 'cancel',
  ): Promise<Fields | 'unknown' | 'silent'> {
    const keeper = keeperOf(this.#deps, this.#deps.routing().channels.get(background.channelId));
    if (keeper === undefined) return 'silent';
    try {
      const signal = awakeSignal(ASK_TIMEOUT_MS);
      const reply = await askKept(this.#deps, keeper, { ...background, operation }, signal);
      const bytes = await readAll(reply.body, ANSWER_MAX_BYTES);
      if (reply.status === 404) return 'unknown';
      if (reply.status >= 300 || bytes === undefined) return 'silent';
      return JSON.parse(bytes.toString()) as Fields;
    } catch (error) {
      this.#deps.log.warn('an upstream did not tell of a response', { channel: background.channelId, error });
      return 'silent';
    }
  }

  /** Cancels one that is about to be deleted, so that its end is known before nobody can ask for it. */
  async endNow(background: BackgroundResponse): Promise<void> {
    const read = await this.#told(background, 'read');
    const told =
      typeof read === 'object' && isUnfinished(read) ? await this.#told(background, 'cancel') : read;
    if (typeof told === 'object') await this.saw(background, told);
  }

  /** An end that tells no usage is only believed once nobody is being shown the response: what they saw counts. */
  async #close(background: BackgroundResponse, word: LastWord): Promise<boolean> {
    const tellsUsage = 'response' in word && shownBy(word.response).reported !== undefined;
    if (!tellsUsage && this.#listeners.has(background.holdId)) return false;
    const { backgroundResponses } = this.#deps;
    // What was shown since it was looked up is in the row.
    const now = await backgroundResponses.find(background.userId, background.responseId);
    await closeBackground(this.#deps, now ?? background, word);
    return true;
  }

  async #remember(background: BackgroundResponse, shown: Shown): Promise<void> {
    const { backgroundResponses } = this.#deps;
    const now = await backgroundResponses.find(background.userId, background.responseId);
    if (now === undefined) return;
    const bill = readBill(now.bill);
    const merged = mergeShown(bill.shown, shown);
    if (merged.outputBytes === bill.shown.outputBytes && merged.produced === bill.shown.produced) return;
    await backgroundResponses.change(now.holdId, { bill: JSON.stringify({ ...bill, shown: merged }) });
  }

  /** From now on the hold is not the call's to close. */
  #leave(running: Running): void {
    running.background = 'left';
    running.holdState = 'closed';
    this.#deps.metrics.holdClosed();
    endCounted(this.#deps, running, true);
  }

  #listen(holdId: string): void {
    this.#listeners.set(holdId, (this.#listeners.get(holdId) ?? 0) + 1);
  }

  #unlisten(holdId: string): void {
    const others = (this.#listeners.get(holdId) ?? 1) - 1;
    if (others === 0) this.#listeners.delete(holdId);
    else this.#listeners.set(holdId, others);
  }

  /** What fails here is done again by the next run. */
  async #quietly(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      this.#deps.log.error('a response in the background could not be looked after', {
        cause: String(asAppError(thrown)),
      });
    }
  }
}
