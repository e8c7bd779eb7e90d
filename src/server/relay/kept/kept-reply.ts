import { parsed } from '#contract/text.ts';
import { fieldsOf, textOf } from '#core/json/fields.ts';
import { type Shown, shownBy } from './background-bill.ts';
import { idsOf } from './kept-responses.ts';

/** What we need to know of an upstream's answer about a response or a conversation it keeps. */
export type KeptReply = {
  readonly id: string | undefined;
  /** The kind of object. */
  readonly object: string | undefined;
  readonly status: string | undefined;
  /** Of its output, or of the list it is. */
  readonly itemIds: readonly (string | undefined)[];
  readonly shown: Shown;
};

/** Reads an answer; one that is not JSON says nothing. */
export const readKeptReply = (bytes: Buffer): KeptReply => {
  const told = fieldsOf(parsed(bytes.toString()));
  return {
    id: textOf(told['id']),
    object: textOf(told['object']),
    status: textOf(told['status']),
    itemIds: idsOf(told['output'] ?? told['data']),
    shown: shownBy(told),
  };
};
