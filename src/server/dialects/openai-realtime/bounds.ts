import { AppError } from '#core/error.ts';
import { surveyJson, valuesIn } from '#core/json/bounds.ts';
import { spellingOf } from '#core/decisive-fields.ts';
import { type Fields, fieldsOf, parsedFields } from '#core/json/fields.ts';
import { assertNames, assertOneMeaning } from '#core/json/one-meaning.ts';
import { isAppend } from './caller-input.ts';

/** Room for a picture or a minute of audio in one item; longer audio comes in pieces, which are not parsed. */
const MAX_CALLER_BYTES = 4 * 1024 * 1024;
/** Several times the JSON values of a session with all its tools. */
const MAX_CALLER_VALUES = 10_000;
/** An upstream repeats the caller's message and adds to it. */
const MAX_UPSTREAM_BYTES = 2 * MAX_CALLER_BYTES;
const MAX_UPSTREAM_VALUES = 10 * MAX_CALLER_VALUES;

/** Fields of a message, its session and its answer that decide what is done, by which model, and at what price. */
const spelling = spellingOf([
  'type',
  'session',
  'response',
  'item',
  'audio',
  'model',
  'tools',
  'prompt',
  'input',
  'conversation',
  'instructions',
  'service_tier',
]);

/** Throws `invalid_request` for a caller's message that would take long to parse, or that upstreams may read differently. */
export const assertReadable = (data: Buffer): void => {
  if (isAppend(data)) return;
  if (data.length > MAX_CALLER_BYTES)
    throw new AppError('invalid_request', 'the message is larger than 4 MiB and not a piece of sound');
  const { members } = surveyJson(data, MAX_CALLER_VALUES);
  const message = parsedFields(data);
  if (message === undefined) return;
  assertOneMeaning(data, message, members, spelling);
  for (const inner of ['session', 'response']) assertNames(fieldsOf(message[inner]), spelling);
};

/** Parses an upstream's message. Throws `upstream_failed` for one that would take long. */
export const parsedMessage = (data: Buffer): Fields | undefined => {
  if (data.length > MAX_UPSTREAM_BYTES || valuesIn(data, MAX_UPSTREAM_VALUES) > MAX_UPSTREAM_VALUES)
    throw new AppError('upstream_failed', 'the upstream sent a message that is too large to be read');
  return parsedFields(data);
};
