import type { PlainToolChoice } from '#core/chat/request.ts';
import { fieldsOf } from './fields.ts';

type Word = Extract<PlainToolChoice, string>;

const WORDS: ReadonlyMap<unknown, Word> = new Map<string, Word>([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  // What Mistral and Anthropic call it.
  ['any', 'required'],
]);

/** A word for what may be called, also where it stands as a `type`; undefined for everything else. */
export const readChoiceWord = (value: unknown): Word | undefined =>
  WORDS.get(typeof value === 'string' ? value : fieldsOf(value)['type']);
