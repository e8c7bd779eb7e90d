import type { Channel } from '#core/channel/channel.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { WordOptions } from '#core/words/check-words.ts';
import { assertJsonBounds } from '#core/json-bounds.ts';
import type { Reference } from '../kept/references.ts';
import type { UpstreamFormat } from '../format.ts';
import type { SentBody } from '../outgoing.ts';
import type { RelayCall } from '../ports.ts';
import { readRequest } from '../read-request.ts';
import { type Asked, known, type Running } from '../running.ts';
import { channelToWire, type FarDesk, type FarForm, type FarRead, type FarThreads } from './far-wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A larger body, or one of more values, would keep everybody else waiting if it was read here. */
const NEAR_MAX_BYTES = 512 * 1024;
const NEAR_MAX_VALUES = 10_000;
/** So much is copied at a time. */
const COPIED_BYTES = 4 * 1024 * 1024;

/** What is asked of another thread: whether the request can be said to a channel in a format. */
const SAYABLE: Fields = {};

/** A request whose body is read in another thread: what is known of it here. */
export class FarAsked {
  readonly #desk: FarDesk;
  readonly #verdicts = new Map<string, Fields | AppError>();
  readonly #missing = new Map<string, FarForm>();
  readonly word: string | undefined;
  readonly references: readonly Reference[];
  readonly actsNowhere: boolean;

  constructor(desk: FarDesk, { word, references, actsNowhere }: FarRead) {
    this.#desk = desk;
    this.word = word;
    this.references = references;
    this.actsNowhere = actsNowhere;
  }

  /** Why it cannot be said so; what is not known yet is taken for yes, and asked by `learn`. */
  verdict(
    { isUnsealed, sparesTools }: Pick<FarForm, 'isUnsealed' | 'sparesTools'>,
    channel: Channel,
    format: UpstreamFormat,
  ): Fields | AppError {
    const key = `${String(channel.id)} ${format.name} ${String(isUnsealed)} ${String(sparesTools)}`;
    const verdict = this.#verdicts.get(key);
    if (verdict === undefined)
      this.#missing.set(key, {
        channel: channelToWire(channel),
        format: format.name,
        isUnsealed,
        sparesTools,
      });
    return verdict ?? SAYABLE;
  }

  /** Asks for what was missing; false where nothing was. */
  async learn(running: Running): Promise<boolean> {
    if (this.#missing.size === 0) return false;
    for (const [key, form] of this.#missing) {
      try {
        running.chatRequest = await this.#desk.ask({ kind: 'write', form });
        this.#verdicts.set(key, SAYABLE);
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code !== 'invalid_request') throw error;
        this.#verdicts.set(key, error);
      }
    }
    this.#missing.clear();
    return true;
  }

  /** The body as it goes to this channel. */
  async bodyFor(running: Running, channel: Channel): Promise<SentBody> {
    const { isUnsealed, sparesTools, format, upstreamModel, routing } = running;
    const { bytes, effort } = await this.#desk.ask({
      kind: 'send',
      form: { channel: channelToWire(channel), format: format.name, isUnsealed, sparesTools },
      upstreamModel,
      options: routing.options,
    });
    return { body: bytes === undefined ? undefined : Buffer.from(bytes.buffer), effort };
  }

  leave(): void {
    this.#desk.leave();
  }
}

/** Decides again until everything the decision asks of a request far away is known. */
export const decided = async <Value>(running: Running, decide: () => Value): Promise<Value> => {
  for (;;) {
    const value = decide();
    if ((await running.asked?.far?.learn(running)) !== true) return value;
  }
};

/** Whether a body is too much to be read in this thread. Throws `invalid_request` for one that is too much for any. */
export const isHeavy = (bytes: Buffer): boolean =>
  bytes.length > NEAR_MAX_BYTES || assertJsonBounds(bytes) > NEAR_MAX_VALUES;

/** Operations whose answers are read with the whole request at hand. */
const NEAR: ReadonlySet<string> = new Set(['rerank', 'images', 'speech', 'transcriptions']);

/** Reads a body, here or in another thread, whichever keeps nobody waiting. Throws as `readRequest`. */
export const readAnywhere = async (
  threads: FarThreads | undefined,
  { call, wire, caller }: Running,
  bytes: Buffer,
  words: WordOptions,
): Promise<Asked & { readonly group: string }> => {
  if (
    threads === undefined ||
    NEAR.has(call.operation) ||
    wire.usageWithoutReport !== undefined ||
    !isHeavy(bytes)
  )
    return readRequest(call, wire, bytes);
  const desk = threads.open(known(caller, 'authenticate').user.id, call.ip);
  try {
    const read = await desk.ask({ kind: 'read', call: farCall(call), bytes: await copied(bytes), words });
    return { ...read, bytes, far: new FarAsked(desk, read) };
  } catch (thrown) {
    desk.leave();
    throw thrown;
  }
};

const farCall = ({ operation, dialect, playground, pathModel, pathStream, headers }: RelayCall) => ({
  operation,
  dialect,
  playground,
  pathModel,
  pathStream,
  headers,
});

/** A copy that can be handed over, made a piece at a time. */
export const copied = async (bytes: Buffer): Promise<Uint8Array> => {
  const copy = new Uint8Array(new ArrayBuffer(bytes.length));
  for (let at = 0; at < bytes.length; at += COPIED_BYTES) {
    copy.set(bytes.subarray(at, at + COPIED_BYTES), at);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return copy;
};
