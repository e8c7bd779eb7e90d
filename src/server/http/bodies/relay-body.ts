import type { IncomingMessage } from 'node:http';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import type { Form } from '../../dialects/form/form.ts';
import { codingOf } from './body-head.ts';
import { bodyPieces } from './body-pieces.ts';
import type { Visitor } from '../door/visitor.ts';
import { SpooledBody } from './spooled-body.ts';
import { readForm } from './read-form.ts';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import { wholeBody } from './whole-body.ts';

/** The body of a request, read once. Its bytes count for a user and an address until `release`. */
export interface CallBody {
  read(userId: number): Promise<Buffer>;
  readForm(userId: number, mayComeOn: boolean): Promise<Form>;
  release(): void;
}

/** The limit of all bodies in memory. */
const ALL_IN_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** The limit of all bodies on disk. */
const ALL_ON_DISK_MAX_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Even a relay that shares the limit with many others must accept the largest body, and one user may fill only half the
 * room.
 */
const LEAST_IN_MEMORY_BYTES = 2 * RELAY_BODY_MAX_BYTES;

/** The memory and disk limits for relay bodies. Several relays share them equally. */
export class RelayBodies {
  readonly memory: SharedRoom;
  readonly disk: SharedRoom;

  constructor(relays = 1) {
    const share = Math.floor(ALL_IN_MEMORY_MAX_BYTES / relays);
    this.memory = new SharedRoom(Math.max(share, LEAST_IN_MEMORY_BYTES));
    this.disk = new SharedRoom(Math.floor(ALL_ON_DISK_MAX_BYTES / relays));
  }
}

/** The body of one request of node's server. Read once, and only when the user it is counted for is known. */
export class CountedBody implements CallBody {
  readonly #bodies: RelayBodies;
  readonly #request: IncomingMessage;
  readonly #address: string;
  readonly #visitor: Pick<Visitor, 'isKnown'>;
  #memory: RoomShare | undefined;
  #spooled: SpooledBody | undefined;

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

  /**
   * The whole decoded body. Throws `payload_too_large`, `unsupported_media_type` for an unknown coding, `unavailable`
   * or `rate_limited` if too much is spooled, `client_closed`.
   */
  async read(userId: number): Promise<Buffer> {
    this.#visitor.isKnown = true;
    this.#memory = new RoomShare(this.#bodies.memory, userId, this.#address);
    return wholeBody(bodyPieces(this.#request), this.#memory, this.#announced());
  }

  /**
   * The body as a form, with its files outside memory; throws as `read` does, and `invalid_request` for a broken form.
   */
  async readForm(userId: number, mayComeOn: boolean): Promise<Form> {
    this.#visitor.isKnown = true;
    const announced = this.#announced();
    const { memory, disk } = this.#bodies;
    const budget = {
      memory: new RoomShare(memory, userId, this.#address),
      disk: new RoomShare(disk, userId, this.#address),
    };
    this.#spooled = new SpooledBody(budget, announced);
    // Fields are not written to disk like files: they stay in memory until the call is over.
    this.#memory = new RoomShare(memory, userId, this.#address);
    const type = this.#request.headers['content-type'] ?? '';
    const pieces = bodyPieces(this.#request);
    return readForm(pieces, type, this.#spooled, this.#memory, mayComeOn && announced !== undefined);
  }

  /** The call is over: its body is no longer counted. */
  release(): void {
    this.#memory?.release();
    this.#spooled?.release();
  }

  /** The length in the headers, if given. Throws if the headers say that the body cannot be read. */
  #announced(): number | undefined {
    const coding = codingOf(this.#request);
    const { 'content-length': length } = this.#request.headers;
    return length === undefined || coding !== 'identity' ? undefined : Number(length);
  }
}
