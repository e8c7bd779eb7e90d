import { AppError } from '../error.ts';

/** Who has taken room: a user by id, or an address by its key. */
export type Owner = number | string;

const BUSY_SECONDS = 2;
/** Many users may share an address, so together they get three times the free room. */
const ADDRESS_SHARE = 3;

const tooMany = (): AppError =>
  new AppError('unavailable', 'too many large requests at once, try again', {
    retryAfterSeconds: BUSY_SECONDS,
  });

const tooManyOfOne = (): AppError =>
  new AppError('rate_limited', 'too many large requests of yours at once, try again', {
    retryAfterSeconds: BUSY_SECONDS,
  });

/**
 * Room shared by many that nobody can fill alone. A user may hold as much as is still free, and all users of an address
 * three times as much: alone a user gets half of it and an address three quarters, so newcomers always find some. The
 * bound needs no number of users (A. Choudhury and E. Hahne, "Dynamic queue length thresholds", 1998).
 */
export class SharedRoom {
  readonly #maxBytes: number;
  readonly #byOwner = new Map<Owner, number>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** How many owners have taken room. */
  get owners(): number {
    return this.#byOwner.size;
  }

  /** Throws `unavailable` if there is no room, `rate_limited` if this user or address holds too much of it. */
  take(bytes: number, user: Owner, address: Owner): void {
    if (bytes === 0) return;
    const freeAfter = this.#maxBytes - this.#heldBytes - bytes;
    if (freeAfter < 0) throw tooMany();
    const ofUser = (this.#byOwner.get(user) ?? 0) + bytes;
    const ofAddress = (this.#byOwner.get(address) ?? 0) + bytes;
    if (ofUser > freeAfter || ofAddress > freeAfter * ADDRESS_SHARE) throw tooManyOfOne();
    this.#heldBytes += bytes;
    this.#byOwner.set(user, ofUser);
    this.#byOwner.set(address, ofAddress);
  }

  give(bytes: number, user: Owner, address: Owner): void {
    if (bytes === 0) return;
    this.#heldBytes -= bytes;
    this.#giveOne(bytes, address);
    // A caller that is not signed in is only counted by address.
    if (user !== address) this.#giveOne(bytes, user);
  }

  #giveOne(bytes: number, owner: Owner): void {
    const left = (this.#byOwner.get(owner) ?? 0) - bytes;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }
}

/** The room one request has taken. */
export class RoomShare {
  readonly #room: SharedRoom;
  readonly #user: Owner;
  readonly #address: Owner;
  #heldBytes = 0;
  #isOver = false;

  constructor(room: SharedRoom, user: Owner, address: Owner) {
    this.#room = room;
    this.#user = user;
    this.#address = address;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Throws as the room does, and `client_closed` once the request is over, because nobody would give the room back. */
  take(bytes: number): void {
    if (this.#isOver) throw new AppError('client_closed', 'the call is over');
    this.#room.take(bytes, this.#user, this.#address);
    this.#heldBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#room.give(bytes, this.#user, this.#address);
  }

  /** Gives everything back and accepts no more. */
  release(): void {
    this.#isOver = true;
    this.give(this.#heldBytes);
  }
}
