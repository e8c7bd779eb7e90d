import type { Call, Counts, Meaning, ReadMeaning, Stop } from './meaning.ts';
import { piecesOf } from './pieces.ts';
import { readChat } from './read-chat.ts';
import { readGemini } from './read-gemini.ts';
import { readMessages } from './read-messages.ts';
import { readResponses } from './read-responses.ts';

const readers = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
  gemini: readGemini,
} satisfies Readonly<Record<string, ReadMeaning>>;

/** The content of a reply, with all its answers joined in order. */
export interface ReplyContent {
  readonly text: string;
  readonly refusal: string;
  /** Undefined if the reader does not read it. */
  readonly reasoning: string | undefined;
  readonly explanation: string;
  readonly transcript: string;
  readonly images: number;
  readonly calls: readonly Pick<Call, 'id' | 'name' | 'arguments'>[];
  readonly finish: readonly (Stop | undefined)[];
  readonly usage: Counts | undefined;
  readonly error: string | undefined;
}

/** Reads the bytes of a reply in one of the four formats. */
export const meaningOf = (format: keyof typeof readers, bytes: Buffer): Meaning =>
  readers[format](piecesOf(bytes.toString()));

/**
 * The content that a caller receives: only the first answer if `isOne`, and only free-text calls of its own `tools`. The
 * upstream runs the other free-text calls itself, so an answer with no other calls stops instead of waiting for results.
 */
export const contentFor = (
  { answers, usage, error }: Meaning,
  { isOne, tools }: { readonly isOne: boolean; readonly tools: ReadonlySet<string> | undefined },
): ReplyContent => {
  const shown = (isOne ? answers.slice(0, 1) : answers).map((answer) => {
    const calls = answer.calls.filter(
      ({ isFreeText, name }) => tools === undefined || !isFreeText || tools.has(name),
    );
    const isOver = answer.stop === 'tool-calls' && calls.length === 0 && answer.calls.length > 0;
    return { ...answer, calls, stop: isOver ? ('stop' as const) : answer.stop };
  });
  const all = (name: 'text' | 'refusal' | 'reasoning' | 'explanation' | 'transcript'): string =>
    shown.map((answer) => answer[name]).join('');
  const finish = shown.map(({ stop }) => stop);
  return {
    text: all('text'),
    refusal: all('refusal'),
    reasoning: all('reasoning'),
    explanation: all('explanation'),
    transcript: all('transcript'),
    images: shown.reduce((sum, { images }) => sum + images, 0),
    calls: shown.flatMap(({ calls }) => calls),
    finish: finish.every((stop) => stop === undefined) ? [] : finish,
    usage,
    error,
  };
};

/** The names of the tools in a request of any format, wherever they stand. */
export const toolNamesIn = (value: unknown): ReadonlySet<string> => {
  const names = new Set<string>();
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) for (const item of each) walk(item);
    else if (typeof each === 'object' && each !== null)
      for (const [key, inside] of Object.entries(each)) {
        if (key === 'name' && typeof inside === 'string') names.add(inside);
        if (key !== 'parameters' && key !== 'input_schema') walk(inside);
      }
  };
  walk((value as { readonly tools?: unknown } | undefined)?.tools);
  return names;
};
