/** Joins the pieces; a single one is not copied. */
export const joined = (pieces: readonly Buffer[]): Buffer => {
  const only = pieces[0];
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
};

/** Reads a body up to a limit. If it is longer: undefined, and the connection is closed. */
export const readAll = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) return undefined;
  }
  return joined(pieces);
};
