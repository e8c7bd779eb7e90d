import type { Channel } from '#core/channel/channel.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import type { AppError } from '#core/error.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import type { Tries } from './tries.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';

/** A seat that has answered within this time counts as working. */
const ANSWERING_MS = 5000;

const NONE: ReadonlySet<number> = new Set();

/** Chooses where one call goes next, from what it has tried and learned. */
export class NextSeats<Value, Try extends Chosen> {
  readonly #health: ChannelHealth;
  readonly #choose: Tries<Value, Try>['choose'];
  /**
   * One object per call, because the choice of keys recognises a call by it. Its sets are created once something has
   * failed.
   */
  readonly #triedSoFar = { channels: NONE, keys: NONE };
  /** The seat tried last, which is not in `#triedSoFar` yet. */
  #newest: Pick<Channel, 'id' | 'keyId'> | undefined;

  constructor(health: ChannelHealth, choose: Tries<Value, Try>['choose']) {
    this.#health = health;
    this.#choose = choose;
  }

  /** Chooses the first seat. */
  first(): Decision | Promise<Decision> {
    return this.#choose(this.#triedSoFar, 'wait');
  }

  /** Notes that a seat is being tried. If its channel has several keys, only this key counts as tried. */
  begun(channel: Channel): void {
    this.#addNewest();
    this.#newest = channel;
  }

  get #tried(): TriedSeats {
    this.#addNewest();
    return this.#triedSoFar;
  }

  #addNewest(): void {
    const newest = this.#newest;
    if (newest === undefined) return;
    this.#newest = undefined;
    const { id, keyId } = newest;
    const tried = this.#triedSoFar;
    if (keyId === 0) tried.channels = new Set([...tried.channels, id]);
    else tried.keys = new Set([...tried.keys, keyId]);
  }

  /** Leaves out a channel with all of its keys. */
  leave(channelId: number): void {
    this.#addNewest();
    const tried = this.#triedSoFar;
    tried.channels = new Set([...tried.channels, channelId]);
  }

  /** Whether only this key is silent: other keys of the channel have answered calls that were sent later. */
  isSilentAlone({ destination, startedMs }: LiveAttempt<Try>): boolean {
    return this.#health.isAlone(destination.channel, startedMs);
  }

  /**
   * Whether perhaps only this key is silent: other keys of the channel have answered since, but maybe calls that were
   * sent earlier.
   */
  mayBeSilentAlone({ destination, startedMs }: LiveAttempt<Try>): boolean {
    return this.#health.mayBeAlone(destination.channel, startedMs);
  }

  /** Whether the seat answers such calls at present. Then it can take the calls that dead channels have failed. */
  isAnswering({ id, keyId }: Channel, name: string, nowMs: number): boolean {
    const { answers } = this.#health;
    return (
      nowMs < answers.last(id, 0, name) + ANSWERING_MS && !this.#health.isDoubtful(id, keyId, name, nowMs)
    );
  }

  /**
   * Chooses a seat beside the running attempts: a channel that is not silent like theirs; else another key of a channel
   * that may still answer.
   */
  async beside(running: readonly LiveAttempt<Try>[]): Promise<Decision> {
    const tried = this.#triedAnd(running.filter((attempt) => !this.isSilentAlone(attempt)));
    const decision = await this.#choose(tried, 'give-up');
    const fewer = this.#triedAnd(running.filter((attempt) => !this.mayBeSilentAlone(attempt)));
    if (decision.channel !== undefined && !decision.coolingTaken) return decision;
    if (fewer.channels.size === tried.channels.size) return decision;
    decision.lease?.end('nothing sent');
    return this.#choose(fewer, 'give-up');
  }

  /**
   * Chooses the seat after a failure: another channel; else another key of this one (after silence, one that is not
   * cooling); else a full channel.
   */
  async after(attempt: LiveAttempt<Try>, error: AppError): Promise<Decision> {
    const { id, keyId } = attempt.destination.channel;
    const channels = new Set(this.#tried.channels);
    const isSilent = error.code === 'upstream_timeout' && !this.mayBeSilentAlone(attempt);
    const hasOtherKeys = keyId !== 0 && channels.delete(id);
    const decision = await this.#choose(this.#tried, hasOtherKeys ? 'give-up' : 'wait');
    if (decision.channel !== undefined || !hasOtherKeys) return decision;
    const other = await this.#choose({ ...this.#tried, channels }, 'wait');
    if (isSilent && other.coolingTaken) other.lease?.end('nothing sent');
    return isSilent && other.coolingTaken ? decision : other;
  }

  /**
   * Chooses a seat for a second opinion: another channel, else another key of this one. The failure of a cooling seat
   * would prove little, so such a seat is asked only about a channel that is known to fail.
   */
  async opinion({ isProbe, destination }: LiveAttempt<Try>): Promise<Decision> {
    const { id, keyId } = destination.channel;
    const { channels, keys } = this.#tried;
    const mayProve = ({ channel, coolingTaken }: Decision) =>
      channel !== undefined && (!coolingTaken || isProbe);
    const other = await this.#choose({ keys, channels: new Set([...channels, id]) }, 'give-up');
    if (mayProve(other)) return other;
    other.lease?.end('nothing sent');
    if (keyId === 0 || channels.has(id)) return { ...other, channel: undefined };
    const otherKey = await this.#choose(this.#tried, 'give-up');
    if (mayProve(otherKey)) return otherKey;
    otherKey.lease?.end('nothing sent');
    return { ...otherKey, channel: undefined };
  }

  /** The seats tried so far, and the channels of these attempts with all their keys. */
  #triedAnd(silent: readonly LiveAttempt<Try>[]): TriedSeats {
    const ids = silent.map(({ destination }) => destination.channel.id);
    return { ...this.#tried, channels: new Set([...this.#tried.channels, ...ids]) };
  }
}
