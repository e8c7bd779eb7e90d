/** Reads a body up to a limit, as the pieces that arrived. If it is longer: undefined, and the connection is closed. */
export const readPieces = async (
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Buffer[] | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  return chunks;
};

/** Joins the pieces; a single one is not copied. */
export const joined = (pieces: readonly Buffer[]): Buffer => {
  const only = pieces[0];
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
};

/** Reads a body up to a limit. If it is longer: undefined, and the connection is closed. */
export const readAll = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> => {
  const pieces = await readPieces(body, maxBytes);
  return pieces === undefined ? undefined : joined(pieces);
};
