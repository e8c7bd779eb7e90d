import { asJson, asList, type Json } from '../wire.ts';

/** The usage of one picture, reported in `tool_usage` next to the model's own usage. */
const INPUT_TOKENS = 50;
const OUTPUT_TOKENS = 1000;

/** The pictures of the tool `image_generation` in a response. */
export interface ToolPictures {
  readonly items: readonly Json[];
  readonly events: readonly (readonly [string, Json])[];
  /** Further fields of the response. */
  readonly beside: Json;
}

/**
 * Pictures of OpenAI's hosted tool: one for each time the input asks for one. A model whose name ends in `mute` reports no
 * usage of theirs.
 */
export const picturesFor = (body: Json, model: string): ToolPictures => {
  const offered = asList(body['tools']).some((tool) => asJson(tool)['type'] === 'image_generation');
  const pictures = offered ? (JSON.stringify(body['input']).match(/draw/g) ?? []).length : 0;
  const items = Array.from({ length: pictures }, (_, at) => ({
    id: `ig_sim${String(at)}`,
    type: 'image_generation_call',
    status: 'completed',
    result: 'aGVsbG8=',
    output_format: 'png',
  }));
  const events = items.flatMap((item, output_index) => [
    [
      'response.output_item.added',
      { output_index, item: { ...item, status: 'in_progress', result: null } },
    ] as const,
    ['response.image_generation_call.completed', { output_index, item_id: item.id }] as const,
    ['response.output_item.done', { output_index, item }] as const,
  ]);
  const used = {
    input_tokens: INPUT_TOKENS * pictures,
    input_tokens_details: { text_tokens: INPUT_TOKENS * pictures, image_tokens: 0 },
    output_tokens: OUTPUT_TOKENS * pictures,
    total_tokens: (INPUT_TOKENS + OUTPUT_TOKENS) * pictures,
  };
  const usage = { tool_usage: { image_gen: used, web_search: { num_requests: 0 } } };
  return { items, events, beside: offered && !model.endsWith('mute') ? usage : {} };
};
