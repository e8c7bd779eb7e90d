import fc from 'fast-check';
import type { DialectName } from '../../../src/server/core/chat/request.ts';
import { sealOf } from '../../../src/simulator/makers/seals.ts';

/** A conversation, independent of any format. */

export type Piece =
  | { readonly kind: 'text' | 'note'; readonly text: string }
  | { readonly kind: 'picture' | 'pdf' | 'sound'; readonly data: string }
  | { readonly kind: 'linked-picture'; readonly url: string };

export interface Thought {
  readonly text: string;
  /** The format whose maker signed it, if it is signed. */
  readonly sealedBy: DialectName | undefined;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: readonly Piece[];
  readonly isError: boolean;
}

/** One turn of the model, with the results of its tool calls. */
export interface Answer {
  readonly thought: Thought | undefined;
  readonly said: readonly string[];
  readonly calls: readonly Call[];
}

export interface Turn {
  readonly asked: readonly Piece[];
  readonly answers: readonly Answer[];
}

export interface Declared {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

export interface Conversation {
  readonly instructions: readonly string[];
  readonly turns: readonly Turn[];
  /** Undefined: the field is absent; empty: an empty list. */
  readonly tools: readonly Declared[] | undefined;
}

/** A unique mark in each text, call, result and picture, by which the test finds it again. */
const mark = (at: number): string => `mark${String(at).padStart(3, '0')}x`;

const FORMATS: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];

/** Blanks, and what is easily broken: half letters, letters that cannot be seen or join others, marks of formats. */
const around = fc.constantFrom(
  '',
  '',
  ' ',
  '\n',
  '你好 ',
  '\t"\\',
  '𝄞e\u0301',
  '\u202E\ufeff',
  '\ud83d',
  '\u0000\u2028',
  'data: [DONE]\r\n\r\n',
);
const words = (blank: boolean) =>
  fc
    .tuple(around, fc.constantFrom(...(blank ? ['@', '@', '@', ''] : ['@'])), around)
    .map(([before, at, after]) => (at === '' ? before : `${before}${at}${after}`));

const text = words(false).map((said): Piece => ({ kind: 'text', text: said }));
const blank = words(true).map((said): Piece => ({ kind: 'text', text: said }));
const bytes = (kind: 'picture' | 'pdf' | 'sound') => fc.constant<Piece>({ kind, data: '@' });
const asked = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: text },
    blank,
    bytes('picture'),
    bytes('pdf'),
    { weight: 1, arbitrary: bytes('sound') },
    fc.constant<Piece>({ kind: 'note', text: '@' }),
    fc.constant<Piece>({ kind: 'linked-picture', url: 'https://files.example/@.png' }),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Ids as the makers give them, as compatible providers do, as we make them, and very long ones. */
const ids = fc.oneof(
  fc.constantFrom(
    'call_0',
    'call_@',
    'toolu_@',
    'c1_@',
    'odd_a_2e@',
    'functions.look:@',
    'look up @',
    '@|fc_@',
  ),
  fc.constant(`call_${'y'.repeat(50)}@`),
);
/** Tool names that every format accepts, and some that only a few accept. */
const plainNames = ['look', 'get-weather', 'Read_2', 'mcp__files__read'] as const;
const names = fc.constantFrom(
  ...plainNames,
  'a.b',
  'weather:get',
  '1st',
  `long_${'n'.repeat(80)}`,
  'x'.repeat(64),
);

const call: fc.Arbitrary<Call> = fc.record({
  id: ids,
  name: names,
  input: fc.constantFrom<Readonly<Record<string, unknown>>>({ q: '@' }, { q: '@', n: { list: [] }, e: '' }),
  result: fc.array(fc.oneof({ weight: 3, arbitrary: text }, blank, bytes('picture')), { maxLength: 2 }),
  isError: fc.boolean(),
});

const answer: fc.Arbitrary<Answer> = fc.record({
  thought: fc.option(
    fc.record({
      text: fc.constantFrom('hm', '', ' '),
      sealedBy: fc.option(fc.constantFrom(...FORMATS), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  said: fc.array(words(true), { maxLength: 2 }),
  calls: fc.array(call, { maxLength: 3 }),
});

const SCHEMAS = [
  { type: 'object', properties: { q: { type: 'string', minLength: 1 } }, required: ['q'] },
  { type: 'object', properties: {} },
  { type: 'object' },
  {
    type: 'object',
    properties: { at: { $ref: '#/$defs/place' }, kind: { const: 'a' }, n: { type: ['integer', 'null'] } },
    $defs: { place: { type: 'object', properties: { x: { type: 'number', exclusiveMinimum: 0 } } } },
    additionalProperties: false,
  },
  { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  {},
] as const;

const declared: fc.Arbitrary<Declared> = fc.record({
  name: names,
  description: fc.option(fc.constantFrom('Looks', ''), { nil: undefined }),
  schema: fc.option(fc.constantFrom(...SCHEMAS), { nil: undefined }),
});

const drafts: fc.Arbitrary<Conversation> = fc.record({
  instructions: fc.array(words(true), { maxLength: 2 }),
  turns: fc.array(fc.record({ asked, answers: fc.array(answer, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  tools: fc.option(fc.uniqueArray(declared, { maxLength: 3, selector: ({ name }) => name }), {
    nil: undefined,
  }),
});

/** The draft with its unique marks filled in. */
const marked = (draft: Conversation): Conversation => {
  let count = 0;
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!value.includes('@')) return value;
      count += 1;
      return value.replaceAll('@', mark(count));
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]): [string, unknown] => [key, fill(inner)]),
    );
  };
  return fill(draft) as Conversation;
};

export const conversations = drafts.map(marked);

/** The texts that must arrive letter by letter, except for blanks around them. */
export const textsOf = ({ instructions, turns }: Conversation): string[] =>
  [
    ...instructions,
    ...turns.flatMap(({ asked: pieces, answers }) => [
      ...textsIn(pieces),
      ...answers.flatMap(({ said, calls }) => [...said, ...calls.flatMap(({ result }) => textsIn(result))]),
    ]),
  ].map((said) => said.trim());

const textsIn = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));

/** The marks that must arrive: of texts, calls, results and pictures, but not of ids. */
export const marksOf = ({ instructions, turns }: Conversation): string[] => {
  const pieces = turns.flatMap((turn) => [
    ...turn.asked,
    ...turn.answers.flatMap(({ calls }) => calls.flatMap(({ result }) => result)),
  ]);
  const answers = turns.flatMap((turn) => turn.answers);
  return [
    ...instructions,
    ...pieces.map((piece) =>
      'text' in piece ? piece.text : 'url' in piece ? piece.url : inBase64(piece.data),
    ),
    ...answers.flatMap(({ said, calls }) => [...said, ...calls.map(({ input }) => JSON.stringify(input))]),
  ].flatMap(
    (said) => /mark\d{3}x/.exec(said)?.[0] ?? (/^[\w+/]+=*$/.test(said) && said.length > 8 ? said : []),
  );
};

/** The gateway does not read these bytes, so any will do as a picture or sound. */
export const inBase64 = (data: string): string => Buffer.from(`bytes of ${data}`).toString('base64');

/** A thought's signature as the maker of a format makes it; routers such as OpenRouter pass on any kind. */
export const sealBy = (format: DialectName): string =>
  format === 'openai-chat' ? 'c2VhbA==' : sealOf(format, 'a thought');

/** The signature as the gateway gives it to a caller: marked with its origin if another format made it (docs/dialects.md). */
export const carried = (by: DialectName, to: DialectName): string =>
  by === to ? sealBy(by) : `from.${by}.${sealBy(by)}`;
