import { AppError } from '#core/error.ts';
import { type Form, formIn } from '../../dialects/form/form.ts';
import type { CallBody, RelayBodies } from '../bodies/relay-body.ts';
import type { Arrival } from '../door/front-door-deps.ts';
import type { LaneHead } from './lane-head.ts';

const NOTHING = Buffer.alloc(0);

/**
 * The body of a call on the lane. Most arrive with their headers. Otherwise, only what came with the headers is kept
 * until the relay knows the caller and asks for the body; then room is taken for all of it and the rest is read.
 */
export class LaneBody implements CallBody {
  readonly #bodies: RelayBodies;
  readonly #arrival: Arrival;
  readonly #head: LaneHead;
  readonly #wanted: () => void;
  /** A complete body, or a buffer whose first `#receivedBytes` are filled. */
  #bytes: Buffer;
  #receivedBytes: number;
  #isWanted = false;
  #userId = 0;
  #takenBytes = 0;
  #failure: AppError | undefined;
  #resolve: ((whole: Buffer) => void) | undefined;
  #reject: ((why: AppError) => void) | undefined;

  /** `wanted` is called when the rest of a body should be read. */
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

  /** Takes the bytes that belong to the body; returns those after it. */
  take(bytes: Buffer): Buffer {
    const missing = this.#head.contentLength - this.#receivedBytes;
    const piece = bytes.length > missing ? bytes.subarray(0, missing) : bytes;
    if (this.#isWanted) piece.copy(this.#bytes, this.#receivedBytes);
    this.#receivedBytes += piece.length;
    if (this.isWhole) this.#resolve?.(this.#bytes);
    return bytes.subarray(piece.length);
  }

  /** The body is no longer wanted: the rest is only counted, and readers get an error. */
  drop(): void {
    this.#failure ??= new AppError('client_closed', 'the caller went away');
    this.#isWanted = false;
    this.#bytes = NOTHING;
    this.#reject?.(this.#failure);
  }

  /** The call is over: the body is no longer counted. */
  release(): void {
    if (!this.isWhole) this.drop();
    this.#bodies.memory.give(this.#takenBytes, this.#userId, this.#arrival.addressKey);
    this.#takenBytes = 0;
  }
}
