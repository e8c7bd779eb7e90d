import { parsed } from '#contract/json-text.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { containersOfOutput } from '../../dialects/containers.ts';
import { tapWhole } from '../../dialects/openai-responses/tap.ts';
import type { Meter } from '../bill/meter.ts';

/** What a reader has received of a response before its end. */
export type Shown = Pick<Meter, 'reported' | 'produced' | 'outputBytes'> & {
  readonly toolCalls?: ToolCalls | undefined;
  readonly served?: ServiceTerms | undefined;
};

/** What can be read from a response in its current state. */
export const shownBy = (response: Fields): Shown => {
  const { usage, content, outputBytes, toolCalls, served } = tapWhole(response);
  return { reported: usage, produced: content === true, outputBytes: outputBytes ?? 0, toolCalls, served };
};

/** A response as its upstream reports it. */
export type SeenResponse = { readonly status: string | undefined; readonly shown: Shown };

/** Reads a response object of an upstream. */
export const seenOf = (response: Fields): SeenResponse => ({
  status: textOf(response['status']),
  shown: shownBy(response),
});

/** Items remembered for each list. Others can only be referred to through their response. */
const MOST_ITEMS = 256;

/** The ids of a list of items. */
export const idsOf = (items: unknown): (string | undefined)[] =>
  listOf(items)
    .slice(0, MOST_ITEMS)
    .map((item) => textOf(fieldsOf(item)['id']));

/** What we need to know of an upstream's answer about a response or a conversation it keeps. */
export type KeptReply = {
  readonly id: string | undefined;
  /** The kind of object. */
  readonly object: string | undefined;
  readonly status: string | undefined;
  /** Item ids of its output, or of the list if it is one, and the containers its output used. */
  readonly itemIds: readonly (string | undefined)[];
  readonly shown: Shown;
};

/** Reads an answer. One that is not JSON gives empty facts. */
export const readKeptReply = (bytes: Buffer): KeptReply => {
  const fields = fieldsOf(parsed(bytes.toString()));
  return {
    id: textOf(fields['id']),
    object: textOf(fields['object']),
    status: textOf(fields['status']),
    itemIds: [...idsOf(fields['output'] ?? fields['data']), ...containersOfOutput(fields['output'])],
    shown: shownBy(fields),
  };
};
