import { parsed } from '#contract/json-text.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { type ReplyOptions, wordInReply } from '#core/words/check-reply.ts';
import { containersOfOutput } from '../../dialects/containers.ts';
import { promptSize } from '../../dialects/openai/prompt-size.ts';
import { referencesIn } from '../../dialects/openai-responses/references.ts';
import { tapWhole } from '../../dialects/openai-responses/tap.ts';
import type { Meter } from '../bill/meter.ts';

/** What a reader has received of a response before its end. */
export type Shown = Pick<Meter, 'reported' | 'produced' | 'outputBytes'> & {
  readonly toolCalls?: ToolCalls | undefined;
  readonly served?: ServiceTerms | undefined;
  /** It has mentioned thinking. */
  readonly thinks?: boolean;
};

/** What can be read from a response in its current state. */
export const shownBy = (response: Fields): Shown => {
  const { usage, content, outputBytes, toolCalls, served, thinks = false } = tapWhole(response);
  const produced = content === true;
  return { reported: usage, produced, outputBytes: outputBytes ?? 0, toolCalls, served, thinks };
};

/** A response as its upstream reports it. */
export type SeenResponse = { readonly status: string | undefined; readonly shown: Shown };

/** Reads a response object of an upstream. */
export const seenOf = (response: Fields): SeenResponse => ({
  status: textOf(response['status']),
  shown: shownBy(response),
});

/** The number of items remembered of each list. Others can only be referred to through their response. */
const MOST_ITEMS = 256;

/** The ids of a list of items. */
export const idsOf = (items: unknown): (string | undefined)[] =>
  listOf(items)
    .slice(0, MOST_ITEMS)
    .map((item) => textOf(fieldsOf(item)['id']));

/** The items in an upstream's answer: those of its output or list, or the answer itself if it is an item. */
export interface KeptItems {
  /** The tokens held for the item if it were sent in full; undefined if the answer does not show all of it. */
  readonly items: readonly { readonly id: string; readonly tokens: number | undefined }[];
  /** The containers its output used. */
  readonly containerIds: readonly string[];
}

export const itemsOf = (fields: Fields): KeptItems => {
  const itself = fields['type'] === undefined ? [] : [fields];
  const items = listOf(fields['output'] ?? fields['data'] ?? itself).slice(0, MOST_ITEMS);
  return {
    items: items.flatMap((item) => {
      const id = textOf(fieldsOf(item)['id']);
      return id === undefined ? [] : [{ id, tokens: tokensOf(item) }];
    }),
    containerIds: containersOfOutput(fields['output']),
  };
};

const tokensOf = (item: unknown): number | undefined => {
  const body = { input: [item] };
  if (referencesIn(body).length > 0) return undefined;
  try {
    const { inputTokensEstimate, promptTokensMost } = promptSize(body, ['input']);
    // A file or picture that the item only names may be of any size.
    return promptTokensMost === undefined ? undefined : inputTokensEstimate;
  } catch {
    return undefined;
  }
};

/** What we need to know of an upstream's answer about a response or a conversation it keeps. */
export type KeptReply = KeptItems & {
  readonly id: string | undefined;
  /** The kind of object. */
  readonly object: string | undefined;
  readonly status: string | undefined;
  readonly shown: Shown;
  /** The sensitive word in the model's text, if replies are checked. */
  readonly word?: string | undefined;
};

/** The parts of an answer that a model wrote, as opposed to its caller. */
const saidIn = (fields: Fields): Fields => ({
  output: [...listOf(fields['output']), ...listOf(fields['data']), fields].filter((item) => {
    const { role, type } = fieldsOf(item);
    return role === 'assistant' || (role === undefined && textOf(type)?.endsWith('_output') === false);
  }),
});

/** Reads an answer. One that is not JSON gives empty facts. */
export const readKeptReply = (bytes: Buffer, words?: ReplyOptions): KeptReply => {
  const fields = fieldsOf(parsed(bytes.toString()));
  return {
    id: textOf(fields['id']),
    object: textOf(fields['object']),
    status: textOf(fields['status']),
    ...itemsOf(fields),
    shown: shownBy(fields),
    word: wordInReply(words, saidIn(fields)),
  };
};
