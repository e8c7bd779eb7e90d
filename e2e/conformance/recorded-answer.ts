import type { Recording } from './recordings.ts';
import type { Replayed } from './replay.ts';

type Answered = Replayed & Pick<Recording, 'provider' | 'stream'> & { readonly format: string };

/** The bytes of a recorded answer. A streamed answer that was recorded as one object counts as a whole reply. */
export const recordedAnswer = ({ id, provider, endpoint, stream, response }: Recording): Answered => ({
  id,
  provider,
  format: endpoint,
  stream: stream && response.body === undefined,
  status: response.status,
  answer: pageOf(response),
});

const pageOf = ({ body, sse, text, base64, headers }: Recording['response']): Replayed['answer'] => {
  if (base64 !== undefined) {
    const contentType = headers?.['content-type'] ?? 'application/octet-stream';
    return { contentType, bytes: Buffer.from(base64, 'base64') };
  }
  if (sse !== undefined) return { contentType: 'text/event-stream', bytes: Buffer.from(sse) };
  return { contentType: 'application/json', bytes: Buffer.from(text ?? JSON.stringify(body)) };
};
