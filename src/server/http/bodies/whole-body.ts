import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import type { RoomShare } from '#core/limits/shared-room.ts';

const FIRST_BYTES = 64 * 1024;

/**
 * Joins the pieces of a body in one buffer, after taking room for it. Pieces are not collected first, because many
 * small objects would need more memory than their bytes. Throws what `pieces` and `room` throw.
 * @param announced its length, if known
 */
export const wholeBody = async (
  pieces: AsyncIterable<Uint8Array>,
  room: Pick<RoomShare, 'take' | 'give'>,
  announced: number | undefined,
): Promise<Buffer> => {
  let whole = made(room, announced ?? FIRST_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length > whole.length) {
      const larger = made(
        room,
        Math.max(length + piece.length, Math.min(whole.length * 2, RELAY_BODY_MAX_BYTES)),
      );
      whole.copy(larger, 0, 0, length);
      room.give(whole.length);
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.length;
  }
  return whole.subarray(0, length);
};

const made = (room: Pick<RoomShare, 'take'>, bytes: number): Buffer => {
  room.take(bytes);
  return Buffer.allocUnsafeSlow(bytes);
};
