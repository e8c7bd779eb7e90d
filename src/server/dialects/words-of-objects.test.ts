import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { askedMedia } from '#core/quota/asked-media.ts';
import { Translations } from '../relay/request/translations.ts';
import { requestOf } from '../relay/testing/answered-call.ts';
import { chatDialects } from './chat-dialects.ts';
import { chatFields } from './testing/request-fields/chat-fields.ts';
import type { RequestField } from './testing/request-fields/field.ts';
import { geminiFields } from './testing/request-fields/gemini-fields.ts';
import { messagesFields } from './testing/request-fields/messages-fields.ts';
import { responsesFields } from './testing/request-fields/responses-fields.ts';

/** What every object has is no word of ours: a table that is asked for it has nothing. */

const WORDS = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'];
const FIELDS: Readonly<Record<DialectName, Readonly<Record<string, RequestField>>>> = {
  'openai-chat': chatFields,
  'openai-responses': responsesFields,
  'anthropic-messages': messagesFields,
  gemini: geminiFields,
};

/** The same with one of its texts replaced, for each of them. */
const replaced = (value: unknown, word: string): unknown[] => {
  if (typeof value === 'string') return [word];
  if (Array.isArray(value))
    return value.flatMap((one, at) => replaced(one, word).map((other) => value.with(at, other)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    replaced(one, word).map((other) => ({ ...value, [name]: other })),
  );
};

const holdsFunction = (value: unknown): boolean =>
  typeof value === 'function' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsFunction));

const plainParts = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:text/plain;base64,AAAA' } },
      ],
    },
  ],
};

const written = (from: DialectName, to: DialectName, body: object): unknown => {
  const request = requestOf({ model: 'm', ...(from === 'gemini' && { stream: false }), ...body });
  const terms = {
    model: 'm',
    systemPrompt: '',
    isUnsigned: false,
    omitsTools: false,
    outputLimit: undefined,
  };
  try {
    return new Translations(chatDialects[from], request).in(chatDialects[to], terms);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
};

const names = Object.keys(FIELDS) as DialectName[];

describe.each(names)('a request of %s', (from) => {
  test.each(WORDS)('with %s for any of its words is written in every format, or refused', (word) => {
    const bodies = Object.entries(FIELDS[from]).flatMap(([path, { value, beside }]) =>
      replaced(value, word).map((other) => ({
        ...(from === 'gemini'
          ? { contents: [{ role: 'user', parts: [{ text: 'a' }] }] }
          : from === 'openai-responses'
            ? { input: 'a' }
            : { messages: [{ role: 'user', content: 'a' }], max_tokens: 9 }),
        ...(beside as object | undefined),
        ...(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), other) as object),
      })),
    );
    if (from === 'openai-chat') bodies.push(...(replaced(plainParts, word) as typeof bodies));
    const wrong = bodies.filter((body) => names.some((to) => holdsFunction(written(from, to, body))));
    expect(wrong).toEqual([]);
  });
});

test.each(WORDS)('a prompt with the flag --%s has a length and a size as without it', (word) => {
  const body = { prompt: `a film --${word} 5` };
  expect(askedMedia(body, undefined, false)).toEqual(askedMedia({ prompt: 'a film' }, undefined, false));
});
