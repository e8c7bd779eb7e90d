/** Reads a body up to a limit; undefined when it is longer, which closes its connection. */
export const readAll = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  const only = chunks[0];
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
};
