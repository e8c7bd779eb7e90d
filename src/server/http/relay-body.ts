import type { IncomingMessage } from 'node:http';
import type { Form } from '../dialects/form.ts';
import { codingOf } from './body-head.ts';
import { bodyPieces } from './body-pieces.ts';
import type { Visitor } from './connections.ts';
import type { CallBody } from './front-call.ts';
import { HeldBody } from './held-body.ts';
import { readForm } from './read-form.ts';
import { RoomShare, SharedRoom } from './shared-room.ts';
import { wholeBody } from './whole-body.ts';

/** All bodies in memory at once, whoever sends them. */
const ALL_IN_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** And all that wait on disk. */
const ALL_ON_DISK_MAX_BYTES = 4 * 1024 * 1024 * 1024;

/** The room for bodies of relay calls. */
export class RelayBodies {
  readonly memory = new SharedRoom(ALL_IN_MEMORY_MAX_BYTES);
  readonly disk = new SharedRoom(ALL_ON_DISK_MAX_BYTES);
}

/** The body of one request of node's server, read once, and not before somebody is known who it is counted for. */
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

  /**
   * The whole body, decoded. Throws `payload_too_large`, `unsupported_media_type` for any coding but gzip, `unavailable`
   * and `rate_limited` when too much is held, `client_closed`.
   */
  async read(userId: number): Promise<Buffer> {
    this.#visitor.isKnown = true;
    this.#memory = new RoomShare(this.#bodies.memory, userId, this.#address);
    return wholeBody(bodyPieces(this.#request), this.#memory, this.#announced());
  }

  /** The body as a form, its files not in memory; throws as `read` does, and `invalid_request` for a broken form. */
  async readForm(userId: number, mayComeOn: boolean): Promise<Form> {
    this.#visitor.isKnown = true;
    const announced = this.#announced();
    const { memory, disk } = this.#bodies;
    const budget = {
      memory: new RoomShare(memory, userId, this.#address),
      disk: new RoomShare(disk, userId, this.#address),
    };
    this.#held = new HeldBody(budget, announced);
    // Where its files go the texts do not: they stay in memory until the call is over.
    this.#memory = new RoomShare(memory, userId, this.#address);
    const type = this.#request.headers['content-type'] ?? '';
    const pieces = bodyPieces(this.#request);
    return readForm(pieces, type, this.#held, this.#memory, mayComeOn && announced !== undefined);
  }

  /** The call is over: its body no longer counts. */
  release(): void {
    this.#memory?.release();
    this.#held?.release();
  }

  /** How long it will be, where its head says so. Throws where the head says that it cannot be read. */
  #announced(): number | undefined {
    const coding = codingOf(this.#request);
    const { 'content-length': length } = this.#request.headers;
    return length === undefined || coding === 'gzip' ? undefined : Number(length);
  }
}
