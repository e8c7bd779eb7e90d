import { hash } from 'node:crypto';
import type { OptionValues } from '#contract/options.ts';
import type { BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import { limitsOfModel } from '#core/channel/health/patience.ts';
import {
  type Binding,
  type ForgottenSessions,
  type SeatName,
  SessionBindings,
  type WishedSeat,
} from '#core/channel/selection/session-bindings.ts';
import type { SessionPast } from '#core/cost/expected-cost.ts';
import type { Clock } from '#core/clock.ts';
import { isFields } from '#core/json/fields.ts';
import { lastingName } from '#core/token/present-group.ts';
import type { Log } from '#core/logging.ts';
import type { News } from '#core/news.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { parsed } from '#contract/json-text.ts';
import { type Session, sessionMark } from '../request/session-of.ts';
import type { Asked } from '../stages.ts';
import { BoundSessions } from './bound-sessions.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

interface AffinityDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly boundSessions: BoundSessionStore;
  readonly log: Pick<Log, 'error'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly news: News;
}

/** The parts of a call that its session depends on. */
interface Sessional extends Pick<Asked, 'routing'> {
  readonly call: Parameters<typeof sessionMark>[0];
  readonly request: Parameters<typeof sessionMark>[1];
  readonly caller: {
    readonly user: Pick<Asked['caller']['user'], 'id'>;
    readonly channelId?: number | undefined;
  };
}

const BOUND = 'session-bound';
const FORGOTTEN = 'sessions-forgotten';
const ID_LENGTH = 22;
/** The seat that it moved away from follows the model, so that older versions read it as part of the model's name. */
const TOLD = /^([\w-]{22}) (\d{1,15}) (\d{1,15}) (\d{1,15}) ([^\n]{0,512})(?:\n(\d{1,15}) (\d{1,15}))?$/;

/**
 * Remembers which channel and key answered each session, so that its next call can go where the provider still has the
 * prompt in its cache. Shared with other relays and nodes, and stored for later runs.
 */
export class SessionAffinity {
  readonly #deps: AffinityDeps;
  readonly #bindings = new SessionBindings();
  readonly #bound: BoundSessions;
  readonly #inner: string;
  readonly #outer: string;

  constructor(deps: AffinityDeps) {
    this.#deps = deps;
    this.#bound = new BoundSessions({ ...deps, store: deps.boundSessions }, this.#bindings);
    this.#inner = deps.vault.mac('session affinity, inner');
    this.#outer = deps.vault.mac('session affinity, outer');
    deps.news.hear(BOUND, (body) => this.#heardBound(body));
    deps.news.hear(FORGOTTEN, (body) => this.#heardForgotten(body));
  }

  /** The session of a call; undefined if it has none, or none that may be bound. */
  sessionOf({ call, caller, request, routing }: Sessional, group: string): Session | undefined {
    if (caller.channelId !== undefined) return undefined;
    const { model } = request.facts;
    const ttlMs = ttlOf(routing.options, model);
    const mark = ttlMs === 0 ? undefined : sessionMark(call, request);
    if (mark === undefined) return undefined;
    const { from, text } = mark;
    // Where a group was renamed, the prompts of its sessions stay cached.
    const lasting = lastingName(routing.options, group);
    const id = this.#mac(`${String(caller.user.id)}\n${lasting}\n${model}\n${from}\n${text}`);
    return { id, from, ttlMs };
  }

  /** Finds a session by its id in log rows. */
  sessionById(id: string, { options }: Pick<Routing, 'options'>, model: string): Session | undefined {
    const ttlMs = ttlOf(options, model);
    return ttlMs === 0 ? undefined : { id, from: 'row', ttlMs };
  }

  /** The seat that its next call would wish for. Changes nothing and counts nothing. */
  peek(userId: number, { id, ttlMs }: Session): WishedSeat | undefined {
    return this.#bindings.peek(userId, id, this.#deps.clock.monotonic(), ttlMs);
  }

  /** The seat that answered this user's session last. */
  wish(userId: number, { id, ttlMs }: Session): WishedSeat | undefined {
    return this.#bindings.wish(userId, id, this.#deps.clock.monotonic(), ttlMs);
  }

  /** What is remembered of this user's session; undefined if none of its calls was answered. */
  past(userId: number, { id, ttlMs }: Session): SessionPast | undefined {
    return this.#bindings.past(userId, id, this.#deps.clock.monotonic(), ttlMs);
  }

  /** Binds the session to the seat that answered. */
  bind(
    { id }: Session,
    userId: number,
    { channelId, keyId }: SeatName,
    { model, promptTokens }: { readonly model: string; readonly promptTokens: number },
  ): void {
    const binding = { channelId, keyId, userId, model, promptTokens };
    if (!this.#bindings.bind(id, binding, this.#deps.clock.monotonic())) return;
    this.#bound.note(id, userId);
    this.#tellBound(id, { userId, channelId, keyId, model });
  }

  /**
   * Unbinds a session after a call failed at the seat it is bound to (`isOf`), so that its next call, which agents send
   * soon, is not tied to that seat. After failures elsewhere the session stays bound.
   */
  failed({ id }: Session, userId: number, isOf: (seat: SeatName) => boolean): void {
    this.#bindings.failed(userId, id, isOf);
  }

  #tellBound(id: string, { userId, channelId, keyId, model }: Binding): void {
    const from = this.#bindings.movedFrom(userId, id);
    const left = from === undefined ? '' : `\n${String(from.channelId)} ${String(from.keyId)}`;
    this.#deps.news.tell(
      BOUND,
      `${id} ${String(userId)} ${String(channelId)} ${String(keyId)} ${model}${left}`,
    );
  }

  /** Forgets sessions here and everywhere. @returns how many were known here */
  forget(which: ForgottenSessions): number {
    this.#deps.news.tell(FORGOTTEN, JSON.stringify(which));
    void this.#bound.forget(which);
    return this.#bindings.forget(which);
  }

  /** Loads what earlier runs stored. */
  load(): Promise<void> {
    return this.#bound.load();
  }

  /** Stores it for later runs. */
  flush(): Promise<void> {
    return this.#bound.flush();
  }

  /** The number of sessions bound to each channel and used in the last `ttlMs`, as far as this relay knows. */
  counts(ttlMs: number): ReadonlyMap<number, number> {
    return this.#bindings.counts(this.#deps.clock.monotonic(), ttlMs);
  }

  /** HMAC as two one-shot hashes, which take a microsecond; `createHmac` takes twice that. */
  #mac(text: string): string {
    const inner = hash('sha256', this.#inner + text, 'base64url');
    return hash('sha256', this.#outer + inner, 'base64url').slice(0, ID_LENGTH);
  }

  #heardBound(body: string): void {
    const [, id, userId, channelId, keyId, model, ...left] = TOLD.exec(body) ?? [];
    if (id === undefined || model === undefined) return;
    const binding = {
      userId: Number(userId),
      channelId: Number(channelId),
      keyId: Number(keyId),
      model,
      ...(left[0] !== undefined && { from: { channelId: Number(left[0]), keyId: Number(left[1]) } }),
    };
    if (!this.#bindings.heard(id, binding, this.#deps.clock.monotonic())) return;
    const kept = this.#bindings.stored(binding.userId, id);
    if (kept !== undefined) this.#tellBound(id, kept);
  }

  #heardForgotten(body: string): void {
    const which = parsed(body);
    if (!isFields(which)) return;
    const { channelId, modelPrefix } = which;
    this.#bindings.forget({
      ...(typeof channelId === 'number' && { channelId }),
      ...(typeof modelPrefix === 'string' && { modelPrefix }),
    });
  }
}

const ttlOf = (options: OptionValues, model: string): number => {
  if (!options['affinity_setting.enabled']) return 0;
  const ofModel = limitsOfModel(options['affinity_setting.minutes_by_model'], model);
  return (ofModel ?? options['affinity_setting.minutes']) * MINUTE_MS;
};
