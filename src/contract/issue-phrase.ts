import type { z } from 'zod';
import { issueMessages } from './messages/issue-messages.ts';
import { isMessageKey, type MessageKey, type Phrase } from './messages.ts';

type Issue = z.core.$ZodIssue;

/** Field names are shown unchanged up to this length. */
const NAME_SHOWN_MAX = 100;
const VALUES_SHOWN_MAX = 20;

const kinds: Readonly<Record<string, MessageKey>> = {
  string: 'issue_text',
  number: 'issue_number',
  int: 'issue_whole',
  boolean: 'issue_flag',
  array: 'issue_list',
  tuple: 'issue_list',
  object: 'issue_object',
  record: 'issue_object',
  undefined: 'issue_unwanted',
  never: 'issue_unwanted',
};

/** What is wrong with a value, in translatable form. A schema's own message is a key of the message table. */
export const issuePhrase = (issue: Issue): Phrase => {
  if (isMessageKey(issue.message)) return { key: issue.message, ...valuesOf(issue) };
  switch (issue.code) {
    case 'invalid_type':
      return { key: kinds[issue.expected] ?? 'issue_invalid' };
    case 'too_big':
      return { key: tooBig(issue), values: { bound: String(issue.maximum) } };
    case 'too_small':
      return { key: tooSmall(issue), values: { bound: String(issue.minimum) } };
    case 'not_multiple_of':
      return { key: 'issue_step', values: { step: issue.divisor } };
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_format':
      return { key: 'issue_form' };
    case 'unrecognized_keys':
      return { key: 'issue_unknown_field', values: { field: shown(issue.keys[0] ?? '') } };
    case 'invalid_key':
      return nameOf(issue.issues);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : unionPhrase(issue.errors);
    default:
      return { key: 'issue_invalid' };
  }
};

/** Why an input is refused: the schema's own message if it has one, else the field and what is wrong with it. */
export const refusedInput = (issue: Issue): Phrase => {
  const phrase = issuePhrase(issue);
  if (!Object.hasOwn(issueMessages, phrase.key)) return phrase;
  const field = issuePath(issue);
  if (issue.code === 'unrecognized_keys') {
    const name = [field, shown(issue.keys[0] ?? '')].filter(Boolean).join('.');
    return { key: 'unknown_field', values: { field: name } };
  }
  if (field === '') return { key: 'invalid_input', values: { issue: phrase } };
  return { key: 'invalid_parameter', values: { field, issue: phrase } };
};

/** The path of an issue: field names and list indexes, joined by dots. */
export const issuePath = (issue: Issue): string => issue.path.map((part) => shown(String(part))).join('.');

const shown = (name: string): string =>
  name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name;

const isCounted = (origin: string): boolean => origin === 'array' || origin === 'set' || origin === 'map';

const tooBig = ({ origin, inclusive }: z.core.$ZodIssueTooBig): MessageKey => {
  if (origin === 'string') return 'issue_characters_most';
  if (isCounted(origin)) return 'issue_items_most';
  return inclusive === false ? 'issue_below' : 'issue_most';
};

const tooSmall = ({ origin, inclusive, minimum }: z.core.$ZodIssueTooSmall): MessageKey => {
  const isOne = Number(minimum) === 1;
  if (origin === 'string') return isOne ? 'issue_empty' : 'issue_characters_least';
  if (isCounted(origin)) return isOne ? 'issue_empty' : 'issue_items_least';
  return inclusive === false ? 'issue_above' : 'issue_least';
};

const oneOf = (values: readonly unknown[]): Phrase => ({
  key: 'issue_one_of',
  values: {
    values: values
      .slice(0, VALUES_SHOWN_MAX)
      .map((value) => JSON.stringify(value))
      .join(', '),
  },
});

const isOtherKind = ({ code }: Issue): boolean => code === 'invalid_type' || code === 'invalid_value';

/** Says that one of several kinds of value is needed. */
const anyOf = (branches: readonly Issue[][]): Phrase => {
  const phrases = new Map(
    branches
      .flatMap(([first]) => (first === undefined ? [] : [issuePhrase(first)]))
      .map((phrase) => [JSON.stringify(phrase), phrase]),
  );
  return [...phrases.values()].reduce((one, other) => ({ key: 'issue_or', values: { one, other } }));
};

const nameOf = ([first]: readonly Issue[]): Phrase =>
  first === undefined
    ? { key: 'issue_invalid' }
    : { key: 'issue_name', values: { issue: issuePhrase(first) } };

/** What a check of ours says beside its message. */
const valuesOf = (issue: Issue): Pick<Phrase, 'values'> =>
  issue.code === 'custom' && issue.params !== undefined ? { values: issue.params } : {};

/** The issue of the union's branch that was meant: the one of the value's type. Without one, what any of them takes. */
const unionPhrase = (branches: readonly Issue[][]): Phrase => {
  const meant = branches
    .map(([first]) => first)
    .filter((first) => first !== undefined)
    .find((first) => first.path.length > 0 || !isOtherKind(first));
  if (meant === undefined) return anyOf(branches);
  const issue = issuePhrase(meant);
  return meant.path.length === 0 ? issue : { key: 'issue_at', values: { where: issuePath(meant), issue } };
};
