import type { Pieces, TakePiece } from '#core/outbound.ts';

/** Gives what comes to `take` until it wants no more; true at the end of the body. Throws what ended it before that. */
export const eachPiece = async (pieces: Pieces, take: TakePiece): Promise<boolean> => {
  if (pieces.each !== undefined) return pieces.each(take);
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return true;
    if (!(await take(next.value))) return false;
  }
};
