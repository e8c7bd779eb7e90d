import fc from 'fast-check';
import {
  carried,
  inBase64,
  type Answer,
  type Conversation,
  type Declared,
  type Piece,
} from './conversation.ts';
import { optionally, type Fields } from './fields.ts';

const blockOf = (piece: Piece): Fields[] => {
  switch (piece.kind) {
    case 'text':
      return piece.text === '' ? [] : [{ type: 'text', text: piece.text }];
    case 'note':
      return [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: piece.text },
          title: 'a',
        },
      ];
    case 'picture':
      return [
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: inBase64(piece.data) },
          cache_control: { type: 'ephemeral' },
        },
      ];
    case 'pdf':
      return [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: inBase64(piece.data) },
        },
      ];
    case 'linked-picture':
      return [{ type: 'image', source: { type: 'url', url: piece.url } }];
    case 'sound':
      return [];
  }
};

const thoughtOf = ({ thought, said, calls }: Answer): Fields[] => {
  // A thought precedes the text or call it belongs to.
  if (thought?.sealedBy === undefined || (said.join('') === '' && calls.length === 0)) return [];
  const seal = carried(thought.sealedBy, 'anthropic-messages');
  return thought.text === ''
    ? [{ type: 'redacted_thinking', data: seal }]
    : [{ type: 'thinking', thinking: thought.text, signature: seal }];
};

const answered = (answer: Answer): Fields[] => {
  const { said, calls } = answer;
  const content = [
    ...thoughtOf(answer),
    ...said.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'user',
            content: calls.map(({ id, result, isError }) => ({
              type: 'tool_result',
              tool_use_id: id,
              ...(result.length > 0 && { content: result.flatMap(blockOf) }),
              ...(isError && { is_error: true }),
            })),
          },
        ]),
  ];
};

const toolOf = ({ name, description, schema }: Declared): Fields => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: { type: 'object', ...schema },
});

const settings = (names: readonly string[]): fc.Arbitrary<Fields> =>
  fc
    .tuple(
      optionally({
        temperature: fc.constantFrom(0, 0.5, 1),
        top_k: fc.constantFrom(1, 40),
        stop_sequences: fc.constantFrom<unknown>([], ['END'], ['a', 'b', 'c', 'd', 'e', 'f']),
        metadata: fc.constantFrom<unknown>({}, { user_id: 'u' }, { user_id: 'u'.repeat(200) }),
        service_tier: fc.constant('auto'),
        output_config: fc.constantFrom<unknown>(
          { effort: 'low' },
          { effort: 'max' },
          { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
        ),
        ...(names.length > 0 && {
          tool_choice: fc.oneof(
            fc.constantFrom<unknown>(
              { type: 'auto', disable_parallel_tool_use: true },
              { type: 'any' },
              { type: 'none' },
            ),
            fc.constantFrom(...names).map((name) => ({ type: 'tool', name })),
          ),
        }),
      }),
      fc.constantFrom(1, 15, 2000, 20_000),
      fc.constantFrom<unknown>(
        undefined,
        undefined,
        { type: 'disabled' },
        { type: 'adaptive' },
        { type: 'enabled', budget_tokens: 1024 },
      ),
    )
    .map(([fields, max_tokens, thinking]) => ({
      ...fields,
      max_tokens,
      ...(thinking !== undefined && { thinking }),
    }));

/** The conversation in Anthropic's Messages format. */
export const asMessages = ({ instructions, turns, tools }: Conversation): fc.Arbitrary<Fields> => {
  const system = instructions.filter((text) => text !== '');
  const names = tools?.map(({ name }) => name) ?? [];
  return fc.tuple(settings(names), fc.boolean()).map(([fields, isList]) => ({
    ...fields,
    ...(system.length > 0 && {
      system: isList ? system.map((text) => ({ type: 'text', text })) : system.join('\n'),
    }),
    messages: turns.flatMap((turn) => {
      const content = turn.asked.flatMap(blockOf);
      return [...(content.length > 0 ? [{ role: 'user', content }] : []), ...turn.answers.flatMap(answered)];
    }),
    ...(tools !== undefined && { tools: tools.map(toolOf) }),
  }));
};
