import fc from 'fast-check';
import {
  carried,
  inBase64,
  type Answer,
  type Conversation,
  type Declared,
  type Piece,
} from './conversation.ts';
import { inOrder, manners, optionally, type Fields } from './fields.ts';

const partOf = (piece: Piece): Fields => {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text };
    case 'note':
      return { type: 'file', file: { filename: 'a.txt', file_data: dataUrl('text/plain', piece.text) } };
    case 'picture':
      return { type: 'image_url', image_url: { url: `data:image/png;base64,${inBase64(piece.data)}` } };
    case 'pdf':
      return {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${inBase64(piece.data)}` },
      };
    case 'sound':
      return { type: 'input_audio', input_audio: { data: inBase64(piece.data), format: 'mp3' } };
    case 'linked-picture':
      return { type: 'image_url', image_url: { url: piece.url, detail: 'low' } };
  }
};

export const dataUrl = (type: string, text: string): string =>
  `data:${type};base64,${Buffer.from(text).toString('base64')}`;

const contentOf = (pieces: readonly Piece[]): unknown => {
  const [only, more] = pieces;
  if (only === undefined) return '';
  return more === undefined && only.kind === 'text' ? only.text : pieces.map(partOf);
};

const thoughtOf = ({ thought }: Answer): Fields => {
  if (thought === undefined) return {};
  const { text, sealedBy } = thought;
  if (sealedBy === undefined) return { reasoning_content: text };
  const signature = carried(sealedBy, 'openai-chat');
  return {
    reasoning_content: text,
    reasoning_details: [{ type: 'reasoning.text', text, signature, index: 0 }],
  };
};

const messagesOf = (answer: Answer, isReversed: boolean): Fields[] => {
  const { said, calls } = answer;
  const texts = said.map((text) => ({ type: 'text', text }));
  const content = texts.length === 0 ? (calls.length > 0 ? null : '') : said.length === 1 ? said[0] : texts;
  const called = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const results = calls.map(({ id, result }) => ({
    role: 'tool',
    tool_call_id: id,
    // Tool results contain only texts in this format.
    content: contentOf(result.filter(({ kind }) => kind === 'text')),
  }));
  return [
    { role: 'assistant', content, ...thoughtOf(answer), ...(called.length > 0 && { tool_calls: called }) },
    ...(isReversed ? results.toReversed() : results),
  ];
};

const toolOf = ({ name, description, schema }: Declared): Fields => ({
  type: 'function',
  function: {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: schema }),
  },
});

const settings = (names: readonly string[]): fc.Arbitrary<Fields> =>
  optionally({
    max_tokens: fc.constantFrom(0, 1, 15, 2000, 20_000),
    max_completion_tokens: fc.constantFrom(1, 5000),
    temperature: fc.constantFrom(0, 0.5, 1, 1.7, 2),
    top_p: fc.constantFrom(0, 0.5, 1),
    presence_penalty: fc.constantFrom(-2, 0, 1),
    frequency_penalty: fc.constantFrom(-2, 0, 1),
    seed: fc.constantFrom(0, 7, -1),
    stop: fc.constantFrom<unknown>([], 'END', ['a', ' '], ['a', 'b', 'c', 'd'], [''], null),
    user: fc.constantFrom('u', 'u'.repeat(80), 'a@b.example'),
    reasoning_effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    response_format: fc.constantFrom<unknown>(
      { type: 'text' },
      { type: 'json_object' },
      {
        type: 'json_schema',
        json_schema: {
          name: 'out',
          schema: { type: 'object', properties: { a: { type: 'number', minimum: 1 } } },
        },
      },
    ),
    metadata: fc.constantFrom<unknown>({}, { a: 'b' }),
    store: fc.constant(false),
    service_tier: fc.constantFrom('auto', 'flex'),
    verbosity: fc.constant('low'),
    prompt_cache_key: fc.constant('k'),
    safety_identifier: fc.constant('s'),
    n: fc.constant(1),
    logprobs: fc.constant(false),
    ...(names.length > 0 && {
      tool_choice: fc.oneof(
        fc.constantFrom<unknown>('auto', 'none', 'required'),
        fc.constantFrom(...names).map((name) => ({ type: 'function', function: { name } })),
        fc.constantFrom(...names).chain((name) =>
          fc.constantFrom('auto', 'required').map((mode) => ({
            type: 'allowed_tools',
            allowed_tools: { mode, tools: [{ type: 'function', function: { name } }] },
          })),
        ),
      ),
      parallel_tool_calls: fc.boolean(),
    }),
  });

/** The conversation in the format of OpenAI chats. */
export const asChat = (conversation: Conversation): fc.Arbitrary<Fields> => {
  const { instructions, turns, tools } = conversation;
  const names = tools?.map(({ name }) => name) ?? [];
  return fc
    .tuple(settings(names), fc.constantFrom('system', 'developer'), manners)
    .map(([fields, role, manner]) => {
      const told = instructions.map((content) => ({ role, content }));
      const said = turns.flatMap((turn) => [
        { role: 'user', content: contentOf(turn.asked) },
        ...turn.answers.flatMap((answer) => messagesOf(answer, manner.isReversed)),
      ]);
      return {
        ...fields,
        messages: inOrder(manner, told, said, (message) => message['role'] === 'tool'),
        ...(tools !== undefined && { tools: tools.map(toolOf) }),
      };
    });
};
