import { AppError } from '#core/error.ts';
import { type Form, formIn } from '../../dialects/form.ts';
import type { CallBody } from '../front-call.ts';
import type { Arrival } from '../front-door-deps.ts';
import type { RelayBodies } from '../relay-body.ts';
import type { LaneHead } from './lane-head.ts';

const NOTHING = Buffer.alloc(0);

/**
 * The body of a call on the lane. Most are there with their head. Of any other only what came with the head is kept, until
 * the relay knows who it is from and wants it: then room is taken for all of it, and the rest is let in.
 */
export class LaneBody implements CallBody {
  readonly #bodies: RelayBodies;
  readonly #arrival: Arrival;
  readonly #head: LaneHead;
  readonly #wanted: () => void;
  /** What is there: of a whole body all of it, else as much as `#receivedBytes` says. */
  #bytes: Buffer;
  #receivedBytes: number;
  #isWanted = false;
  #userId = 0;
  #takenBytes = 0;
  #failure: AppError | undefined;
  #resolve: ((whole: Buffer) => void) | undefined;
  #reject: ((why: AppError) => void) | undefined;

  /** `wanted` is called when the rest of a body is to come. */
  constructor(bodies: RelayBodies, arrival: Arrival, head: LaneHead, first: Buffer, wanted: () => void) {
    this.#bodies = bodies;
    this.#arrival = arrival;
    this.#head = head;
    this.#bytes = first;
    this.#receivedBytes = first.length;
    this.#wanted = wanted;
  }

  get isWhole(): boolean {
    return this.#receivedBytes === this.#head.contentLength;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  async read(userId: number): Promise<Buffer> {
    if (this.#failure !== undefined) throw this.#failure;
    const { contentLength } = this.#head;
    this.#arrival.visitor.isKnown = true;
    this.#bodies.memory.take(contentLength, userId, this.#arrival.addressKey);
    this.#userId = userId;
    this.#takenBytes = contentLength;
    if (this.isWhole) return this.#bytes;
    const whole = Buffer.allocUnsafeSlow(contentLength);
    this.#bytes.copy(whole);
    this.#bytes = whole;
    this.#isWanted = true;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#wanted();
    });
  }

  async readForm(userId: number): Promise<Form> {
    return formIn(await this.read(userId), this.#head.headers['content-type'] ?? '');
  }

  /** Takes what belongs to it of what came; gives what is behind it. */
  take(bytes: Buffer): Buffer {
    const missing = this.#head.contentLength - this.#receivedBytes;
    const piece = bytes.length > missing ? bytes.subarray(0, missing) : bytes;
    if (this.#isWanted) piece.copy(this.#bytes, this.#receivedBytes);
    this.#receivedBytes += piece.length;
    if (this.isWhole) this.#resolve?.(this.#bytes);
    return bytes.subarray(piece.length);
  }

  /** Nothing of it is wanted any more: what still comes of it is only counted. Whoever waits for it is told. */
  drop(): void {
    this.#failure ??= new AppError('client_closed', 'the caller went away');
    this.#isWanted = false;
    this.#bytes = NOTHING;
    this.#reject?.(this.#failure);
  }

  /** The call is over: it no longer counts. */
  release(): void {
    if (!this.isWhole) this.drop();
    this.#bodies.memory.give(this.#takenBytes, this.#userId, this.#arrival.addressKey);
    this.#takenBytes = 0;
  }
}
