import type { IncomingMessage } from 'node:http';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import type { Form } from '../dialects/form.ts';
import { codingOf } from './body-head.ts';
import { bodyPieces } from './body-pieces.ts';
import type { Visitor } from './connections.ts';
import { HeldBody } from './held-body.ts';
import { readForm } from './read-form.ts';
import { RoomShare, SharedRoom } from '#core/shared-room.ts';
import { wholeBody } from './whole-body.ts';

/** The body of a request, read once. Its bytes count for a user and an address until `release`. */
export interface CallBody {
  read(userId: number): Promise<Buffer>;
  readForm(userId: number, mayComeOn: boolean): Promise<Form>;
  release(): void;
}

/** How much of a box is read: codec descriptions are short. */
const ALL_IN_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** Object types whose frames all have the same number of samples: Main, LC, SSR, LTP, SBR, PS. */
const ALL_ON_DISK_MAX_BYTES = 4 * 1024 * 1024 * 1024;

/** The duration of one sample; undefined for a codec that is not read here. */
const LEAST_IN_MEMORY_BYTES = 2 * RELAY_BODY_MAX_BYTES;

/** The position after a descriptor's tag and length, which takes up to four bytes (ISO 14496-1, 8.3.3). */
export class RelayBodies {
  readonly memory: SharedRoom;
  readonly disk: SharedRoom;

  constructor(relays = 1) {
    const share = Math.floor(ALL_IN_MEMORY_MAX_BYTES / relays);
    this.memory = new SharedRoom(Math.max(share, LEAST_IN_MEMORY_BYTES));
    this.disk = new SharedRoom(Math.floor(ALL_ON_DISK_MAX_BYTES / relays));
  }
}

/**
 * The duration of one AAC sample, from the codec's own configuration, because players use that (ISO 14496-3, 1.6.2.1).
 */
export class CountedBody implements CallBody {
  readonly #bodies: RelayBodies;
  readonly #request: IncomingMessage;
  readonly #address: string;
  readonly #visitor: Pick<Visitor, 'isKnown'>;
  #memory: RoomShare | undefined;
  #held: HeldBody | undefined;

  constructor(
    bodies: RelayBodies,
    request: IncomingMessage,
    { addressKey, visitor }: { readonly addressKey: string; readonly visitor: Pick<Visitor, 'isKnown'> },
  ) {
    this.#bodies = bodies;
    this.#request = request;
    this.#address = addressKey;
    this.#visitor = visitor;
  }

  /** The box begins with version and flags, the number of descriptions, and the first one's size and format. */
  async read(userId: number): Promise<Buffer> {
    this.#visitor.isKnown = true;
    this.#memory = new RoomShare(this.#bodies.memory, userId, this.#address);
    return wholeBody(bodyPieces(this.#request), this.#memory, this.#announced());
  }

  /** The tracks as described by the boxes. */
  async readForm(userId: number, mayComeOn: boolean): Promise<Form> {
    this.#visitor.isKnown = true;
    const announced = this.#announced();
    const { memory, disk } = this.#bodies;
    const budget = {
      memory: new RoomShare(memory, userId, this.#address),
      disk: new RoomShare(disk, userId, this.#address),
    };
    this.#held = new HeldBody(budget, announced);
    // The duration of the longest track, because players play one of them. Undefined if a track cannot be read, or
    // there is none.
    this.#memory = new RoomShare(memory, userId, this.#address);
    const type = this.#request.headers['content-type'] ?? '';
    const pieces = bodyPieces(this.#request);
    return readForm(pieces, type, this.#held, this.#memory, mayComeOn && announced !== undefined);
  }

  /** Counts audio samples, regardless of the durations stated in the boxes. */
  release(): void {
    this.#memory?.release();
    this.#held?.release();
  }

  /** Kilobits per second by index: version 1 layers 1 to 3, then versions 2 and 2.5 layer 1, and layers 2 and 3. */
  #announced(): number | undefined {
    const coding = codingOf(this.#request);
    const { 'content-length': length } = this.#request.headers;
    return length === undefined || coding === 'gzip' ? undefined : Number(length);
  }
}
