import fc from 'fast-check';
import { dataUrl } from './chat.ts';
import {
  carried,
  inBase64,
  type Answer,
  type Conversation,
  type Declared,
  type Piece,
} from './conversation.ts';
import { inOrder, type Manner, manners, optionally, type Fields } from './fields.ts';

const partOf = (piece: Piece): Fields[] => {
  switch (piece.kind) {
    case 'text':
      return [{ type: 'input_text', text: piece.text }];
    case 'note':
      return [{ type: 'input_file', filename: 'a.txt', file_data: dataUrl('text/plain', piece.text) }];
    case 'picture':
      return [{ type: 'input_image', image_url: `data:image/png;base64,${inBase64(piece.data)}` }];
    case 'pdf':
      return [
        {
          type: 'input_file',
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${inBase64(piece.data)}`,
        },
      ];
    case 'linked-picture':
      return [{ type: 'input_image', image_url: piece.url, detail: 'auto' }];
    case 'sound':
      return [{ type: 'input_audio', input_audio: { data: inBase64(piece.data), format: 'wav' } }];
  }
};

const contentOf = (pieces: readonly Piece[]): unknown => {
  const [only, more] = pieces;
  if (only === undefined) return '';
  return more === undefined && only.kind === 'text' ? only.text : pieces.flatMap(partOf);
};

/** A thought as clients send it back: unchanged, or without its id. */
const thoughtOf = ({ thought, said, calls }: Answer, at: number): Fields[] => {
  // A thought precedes the text or call it belongs to.
  if (thought?.sealedBy === undefined || said.length + calls.length === 0) return [];
  return [
    {
      type: 'reasoning',
      ...(at % 2 === 0 && { id: `rs_${String(at)}` }),
      summary: thought.text === '' ? [] : [{ type: 'summary_text', text: thought.text }],
      encrypted_content: carried(thought.sealedBy, 'openai-responses'),
    },
  ];
};

const itemsOf = (answer: Answer, at: number, { isReversed }: Manner): Fields[] => [
  ...thoughtOf(answer, at),
  ...(answer.said.length === 0
    ? []
    : [
        {
          type: 'message',
          role: 'assistant',
          ...(at % 2 === 0 && { id: `msg_${String(at)}`, status: 'completed' }),
          content: answer.said.map((text) => ({ type: 'output_text', text, annotations: [] })),
        },
      ]),
  ...answer.calls.map(({ id, name, input }, of) =>
    of === 2
      ? { type: 'custom_tool_call', call_id: id, name, input: JSON.stringify(input) }
      : { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) },
  ),
  ...outputsOf(answer, isReversed),
];

const outputsOf = ({ calls }: Answer, isReversed: boolean): Fields[] => {
  const outputs = calls.map(({ id, result }, of) => ({
    type: of === 2 ? 'custom_tool_call_output' : 'function_call_output',
    call_id: id,
    output: contentOf(result),
  }));
  return isReversed ? outputs.toReversed() : outputs;
};

const toolOf = ({ name, description, schema }: Declared, at: number): Fields =>
  at === 2
    ? { type: 'custom', name, ...(description !== undefined && { description }) }
    : {
        type: 'function',
        name,
        ...(description !== undefined && { description }),
        parameters: schema ?? null,
        strict: false,
      };

const settings = (tools: readonly Declared[]): fc.Arbitrary<Fields> => {
  const choices = tools.map(({ name }, at) => ({ type: at === 2 ? 'custom' : 'function', name }));
  return optionally({
    max_output_tokens: fc.constantFrom(16, 2000, 20_000),
    temperature: fc.constantFrom(0, 0.5, 1, 1.7, 2),
    top_p: fc.constantFrom(0, 0.5, 1),
    user: fc.constantFrom('u', 'u'.repeat(80)),
    reasoning: fc.constantFrom<unknown>(
      {},
      { effort: 'none' },
      { effort: 'minimal', summary: 'auto' },
      { effort: 'high' },
      { effort: 'max' },
      { summary: 'detailed' },
    ),
    text: fc.constantFrom<unknown>(
      {},
      { verbosity: 'low' },
      { format: { type: 'text' } },
      { format: { type: 'json_object' } },
      { format: { type: 'json_schema', name: 'out', schema: { type: 'object', properties: {} } } },
    ),
    metadata: fc.constantFrom<unknown>({}, { a: 'b' }),
    include: fc.constantFrom<unknown>([], ['reasoning.encrypted_content']),
    truncation: fc.constant('auto'),
    max_tool_calls: fc.constant(3),
    prompt_cache_key: fc.constant('k'),
    safety_identifier: fc.constant('s'),
    service_tier: fc.constant('auto'),
    ...(choices.length > 0 && {
      tool_choice: fc.oneof(
        fc.constantFrom<unknown>('auto', 'none', 'required'),
        fc.constantFrom(...choices),
        fc
          .constantFrom(...choices)
          .chain((one) =>
            fc
              .constantFrom('auto', 'required')
              .map((mode) => ({ type: 'allowed_tools', mode, tools: [one] })),
          ),
      ),
      parallel_tool_calls: fc.boolean(),
    }),
  });
};

/** The conversation in OpenAI's Responses format. */
export const asResponses = ({ instructions, turns, tools }: Conversation): fc.Arbitrary<Fields> =>
  fc
    .tuple(settings(tools ?? []), fc.constantFrom('instructions', 'system', 'developer'), manners)
    .map(([fields, role, manner]) => ({
      ...fields,
      store: false,
      ...(role === 'instructions' && instructions.length > 0 && { instructions: instructions.join('\n') }),
      input: inOrder(
        manner,
        role === 'instructions' ? [] : instructions.map((content) => ({ role, content })),
        turns.flatMap((turn) => [
          { role: 'user', content: contentOf(turn.asked) },
          ...turn.answers.flatMap((answer, at) => itemsOf(answer, at, manner)),
        ]),
        (item) => String(item['type']).endsWith('_output'),
      ),
      ...(tools !== undefined && { tools: tools.map(toolOf) }),
    }));
