import type { PlainToolChoice } from '#core/chat/request.ts';
import { fieldsOf } from '#core/json/fields.ts';

type Word = Extract<PlainToolChoice, string>;

const WORDS: ReadonlyMap<unknown, Word> = new Map<string, Word>([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  // Mistral's and Anthropic's word.
  ['any', 'required'],
]);

/** How a choice among some of the tools is made. */
export const isMode = (mode: unknown): boolean => mode === 'auto' || mode === 'required';

/** Reads a tool choice that is a word, also as a `type`; undefined for anything else. */
export const readChoiceWord = (value: unknown): Word | undefined =>
  WORDS.get(typeof value === 'string' ? value : fieldsOf(value)['type']);
