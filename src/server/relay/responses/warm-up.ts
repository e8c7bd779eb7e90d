import type { Fields } from '#core/json/fields.ts';
import { writeHead } from '../../dialects/openai-responses/reply/response-head.ts';

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/**
 * Writes the events of a response that generates nothing (`generate: false`): the caller only wants an id to continue
 * from. No upstream is asked, because over HTTP none could prepare anything.
 */
export const warmUpEvents = (
  response: { readonly id: string; readonly model: string; readonly createdAtMs: number },
  streamId: string | undefined,
): readonly Buffer[] => {
  const head = writeHead({ type: 'start', ...response });
  const begun = { ...head, status: 'in_progress', error: null, output: [], usage: null };
  const ended = { ...head, status: 'completed', error: null, output: [], usage: NO_USAGE };
  const events: readonly Fields[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.completed', response: ended },
  ];
  return events.map((event, number) =>
    Buffer.from(
      JSON.stringify({
        ...event,
        sequence_number: number,
        ...(streamId !== undefined && { stream_id: streamId }),
      }),
    ),
  );
};
