/** OpenAI's end mark of a stream, which many other upstreams also use. */
export const isPlainDone = (data: Buffer): boolean =>
  data.length < 16 && data.toString('latin1').trim() === '[DONE]';
