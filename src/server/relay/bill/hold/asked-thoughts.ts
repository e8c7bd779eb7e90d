import { type Fields, isFields } from '#core/json/fields.ts';

/** Fields with which callers ask a model to think. */
const THOUGHT_FIELDS = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking'] as const;

/** Values of these fields that switch thinking off. */
const NO_THOUGHTS: ReadonlySet<unknown> = new Set([undefined, null, false, 'none', 'disabled']);

/** Whether a body asks a model to think. */
export const asksForThoughts = (body: Fields): boolean => {
  for (const name of THOUGHT_FIELDS) if (body[name] !== undefined && asksIn(body[name])) return true;
  return false;
};

const asksIn = (asked: unknown): boolean => {
  if (!isFields(asked)) return !NO_THOUGHTS.has(asked);
  return [asked['type'], asked['enabled'], asked['effort']].every(
    (word) => word === undefined || !NO_THOUGHTS.has(word),
  );
};
