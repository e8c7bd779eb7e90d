import fc from 'fast-check';
import {
  carried,
  inBase64,
  sealBy,
  type Answer,
  type Conversation,
  type Declared,
  type Piece,
} from './conversation.ts';
import { optionally, type Fields } from './fields.ts';

const partOf = (piece: Piece): Fields[] => {
  switch (piece.kind) {
    case 'text':
      return piece.text === '' ? [] : [{ text: piece.text }];
    case 'note':
      return [{ inlineData: { mimeType: 'text/plain', data: Buffer.from(piece.text).toString('base64') } }];
    case 'picture':
      return [{ inline_data: { mime_type: 'image/png', data: inBase64(piece.data) } }];
    case 'pdf':
      return [
        { inlineData: { mimeType: 'application/pdf', data: inBase64(piece.data), displayName: 'a.pdf' } },
      ];
    case 'sound':
      return [{ inlineData: { mimeType: 'audio/wav', data: inBase64(piece.data) } }];
    case 'linked-picture':
      return [{ fileData: { mimeType: 'image/png', fileUri: piece.url } }];
  }
};

/** Signatures are base64 bytes in this format. */
const signature = ({ thought }: Answer): Fields => {
  if (thought?.sealedBy === undefined) return {};
  const { sealedBy } = thought;
  const seal =
    sealedBy === 'gemini' ? sealBy('gemini') : Buffer.from(carried(sealedBy, 'gemini')).toString('base64');
  return { thoughtSignature: seal };
};

/** `isNamed`: whether calls have ids, which older versions of the API lack. */
const contentsOf = (answer: Answer, isNamed: boolean): Fields[] => {
  const { thought, said, calls } = answer;
  const own = (id: string): Fields => (isNamed ? { id } : {});
  const parts = [
    ...(thought === undefined || thought.text === '' ? [] : [{ text: thought.text, thought: true }]),
    ...said.filter((text) => text !== '').map((text) => ({ text })),
    ...calls.map(({ id, name, input }) => ({ functionCall: { ...own(id), name, args: input } })),
  ].map((part, at, all) =>
    at === (calls.length > 0 ? all.length - calls.length : all.length - 1)
      ? { ...part, ...signature(answer) }
      : part,
  );
  return [
    ...(parts.length === 0 ? [] : [{ role: 'model', parts }]),
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'user',
            parts: calls.map(({ id, name, result, isError }) => ({
              functionResponse: {
                ...own(id),
                name,
                response: responseOf(result, isError),
                ...(result.some(({ kind }) => kind === 'picture') && {
                  parts: result.filter(({ kind }) => kind === 'picture').flatMap(partOf),
                }),
              },
            })),
          },
        ]),
  ];
};

const responseOf = (result: readonly Piece[], isError: boolean): Fields => {
  const texts = result.flatMap((piece) => (piece.kind === 'text' ? piece.text : []));
  if (texts.length === 0) return {};
  return isError ? { error: texts.join('') } : { found: texts, output: 1 };
};

const toolOf = ({ name, description, schema }: Declared): Fields => ({
  name,
  ...(description !== undefined && { description }),
  ...(schema !== undefined && { parametersJsonSchema: schema }),
});

const configs = optionally({
  maxOutputTokens: fc.constantFrom(1, 15, 2000, 20_000),
  temperature: fc.constantFrom(0, 1, 2),
  topP: fc.constantFrom(0, 0.5, 1),
  topK: fc.constantFrom(1, 40, 64),
  seed: fc.constantFrom(0, -1),
  presencePenalty: fc.constant(0.5),
  frequencyPenalty: fc.constant(0.5),
  candidateCount: fc.constant(1),
  stopSequences: fc.constantFrom<unknown>([], ['END'], ['a', 'b', 'c', 'd', 'e']),
  responseMimeType: fc.constantFrom('application/json', 'text/plain'),
  thinkingConfig: fc.constantFrom<unknown>(
    {},
    { thinkingBudget: 0 },
    { thinkingBudget: -1 },
    { thinkingBudget: 500, includeThoughts: true },
    { thinkingLevel: 'LOW' },
    { includeThoughts: true },
  ),
});

const settings = (names: readonly string[]): fc.Arbitrary<Fields> =>
  optionally({
    generationConfig: configs,
    safetySettings: fc.constant([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }]),
    labels: fc.constant({ a: 'b' }),
    toolConfig: fc.oneof(
      fc.constantFrom<unknown>(
        {},
        { functionCallingConfig: { mode: 'AUTO' } },
        { functionCallingConfig: { mode: 'NONE' } },
        { functionCallingConfig: {} },
        { retrievalConfig: { languageCode: 'de' } },
      ),
      ...(names.length > 0
        ? [
            fc.constantFrom<unknown>({ functionCallingConfig: { mode: 'ANY' } }),
            fc.constantFrom(...names).chain((name) =>
              fc.constantFrom('ANY', 'VALIDATED').map((mode) => ({
                functionCallingConfig: { mode, allowedFunctionNames: [name] },
              })),
            ),
          ]
        : []),
    ),
  });

/** The conversation in Google's generateContent format. */
export const asGemini = ({ instructions, turns, tools }: Conversation): fc.Arbitrary<Fields> => {
  const told = instructions.filter((text) => text !== '');
  return fc
    .tuple(settings(tools?.map(({ name }) => name) ?? []), fc.boolean(), fc.boolean())
    .map(([fields, isNamed, isOneTool]) => ({
      ...fields,
      ...(told.length > 0 && { systemInstruction: { parts: told.map((text) => ({ text })) } }),
      contents: turns.flatMap((turn) => {
        const parts = turn.asked.flatMap(partOf);
        return [
          ...(parts.length > 0 ? [{ role: 'user', parts }] : []),
          ...turn.answers.flatMap((answer) => contentsOf(answer, isNamed)),
        ];
      }),
      ...(tools !== undefined && {
        tools: isOneTool
          ? [{ functionDeclarations: tools.map(toolOf) }]
          : tools.map((tool) => ({ functionDeclarations: [toolOf(tool)] })),
      }),
    }));
};
