import { z } from 'zod';
import type { MessageKey } from '../messages.ts';
import { isDecidingOverride, isRealtimeModel, numberProblem } from './override-fields.ts';
import { issueKey } from '../text.ts';
import { STARS_MAX } from '../glob.ts';

/**
 * Overrides of a channel, field `overrides` of its `setting`: changes of the body and the headers that go out, in their
 * order. Everything is checked here when it is saved; what it does is in docs/overrides.md.
 */

const OVERRIDES_MAX = 100;
const PATH_MAX_LENGTH = 200;
const PATH_MAX_DEPTH = 12;
const GLOB_MAX_LENGTH = 256;
const HEADER_NAME_MAX_LENGTH = 100;
const HEADER_VALUE_MAX_LENGTH = 4096;
const VALUE_MAX_DEPTH = 32;

/** Names that are no data in JavaScript. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const isName = (name: string): boolean => name !== '' && !PROTOTYPE_NAMES.has(name) && !name.startsWith('$');

const isPath = (path: string): boolean => {
  const names = path.split('.');
  return names.length <= PATH_MAX_DEPTH && names.every(isName) && names[0] !== '*';
};

const isGlob = (text: string): boolean =>
  !text.includes('**') && text.replaceAll('\\*', '').split('*').length <= STARS_MAX + 1;

/** `*` stands for any characters, `\*` for a star. */
export const glob = z.string().min(1).max(GLOB_MAX_LENGTH).refine(isGlob, issueKey('override_stars'));

/** Headers that belong to the connection or to the body. */
const FIXED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'http2-settings',
  'te',
  'trailer',
  'expect',
  'accept',
  'accept-encoding',
  'via',
  'forwarded',
]);
const FIXED_BEGINNING = /^(?:proxy-|sec-|x-forwarded-|:)/;
/** Headers that prove who sends a request. */
const PROVING = /auth|key|token|secret|cookie|sign|credential/;

/** Whether no override may set, remove or pass on a header: the connection's own, and all that prove who sends it. */
export const isFixedHeader = (name: string): boolean =>
  FIXED_HEADERS.has(name) || FIXED_BEGINNING.test(name) || PROVING.test(name);

const HEADER_NAME = /^[a-z0-9_.-]+$/;
/** With a star behind three characters or more. */
const HEADER_NAMES = /^(?:[a-z0-9_.-]+|[a-z0-9_.-]{3,}\*)$/;
/** No line breaks: they would begin another header. */
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;

const headerProblem = (name: string, names: RegExp): MessageKey | undefined => {
  if (!names.test(name) || name.length > HEADER_NAME_MAX_LENGTH) return 'override_header_name';
  return isFixedHeader(name.replace('*', '')) ? 'override_header_fixed' : undefined;
};

/** A header that may be set: none of the connection, and none that proves who sends. */
export const headerName = z
  .string()
  .trim()
  .toLowerCase()
  .superRefine((name, context) => {
    const message = headerProblem(name, HEADER_NAME);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** When a rule holds: all that is given must fit. */
const when = z.strictObject({
  /** The model as it is asked for, after aliases and before the channel's mapping. */
  model: glob.optional(),
  /** The group that pays. */
  group: glob.optional(),
  /** A header of the caller: that it is there, or what it says. */
  header: z.strictObject({ name: headerName, value: glob.optional() }).optional(),
});

const isPlainData = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= VALUE_MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([name, inner]) => !PROTOTYPE_NAMES.has(name) && isPlainData(inner, depth + 1),
  );
};

export const overrideOperations = ['set', 'delete', 'append', 'replace', 'pass'] as const;
/** One of `overrideOperations`. */
export type OverrideOperation = (typeof overrideOperations)[number];

const fields = z.strictObject({
  op: z.enum(overrideOperations),
  on: z.enum(['body', 'header']).default('body'),
  /** Names and indexes joined by dots, `*` for every item; or the name of a header. */
  path: z.string().trim().min(1).max(PATH_MAX_LENGTH),
  value: z.unknown().optional(),
  /** What is replaced. */
  find: glob.optional(),
  when: when.optional(),
});

type Given = z.output<typeof fields>;

const WITHOUT_VALUE: ReadonlySet<OverrideOperation> = new Set(['delete', 'pass']);

const pathProblem = ({ op, on, path, value }: Given): MessageKey | undefined => {
  if (on === 'header') return headerProblem(path.toLowerCase(), op === 'pass' ? HEADER_NAMES : HEADER_NAME);
  if (op === 'pass') return 'override_pass_header';
  if (!isPath(path)) return 'override_path';
  return isDecidingOverride(path.split('.'), value) ? 'override_deciding' : undefined;
};

const valueProblem = ({ op, on, path, value }: Given): MessageKey | undefined => {
  if (WITHOUT_VALUE.has(op)) return value === undefined ? undefined : 'issue_unwanted';
  if (value === undefined) return 'override_value';
  if (op === 'replace' && typeof value !== 'string') return 'issue_text';
  if (on === 'body' && !isPlainData(value)) return 'override_value_deep';
  if (on === 'body') return op === 'replace' ? undefined : numberProblem(path.split('.'), value)?.issue;
  if (typeof value !== 'string' || value.length > HEADER_VALUE_MAX_LENGTH) return 'override_header_value';
  return HEADER_VALUE.test(value) || (op === 'replace' && value === '') ? undefined : 'override_header_value';
};

const findProblem = ({ op, find }: Given): MessageKey | undefined => {
  if (op === 'replace') return find === undefined ? 'override_find' : undefined;
  return find === undefined ? undefined : 'issue_unwanted';
};

/** A rule of the body that could hold for nothing but conversations, which have none. */
const whenProblem = ({ on, when: condition }: Given): MessageKey | undefined =>
  on === 'body' && condition?.model !== undefined && isRealtimeModel(condition.model)
    ? 'override_realtime'
    : undefined;

/** One change of what goes out. */
export const channelOverride = fields.superRefine((given, context) => {
  const problems = {
    path: pathProblem(given),
    value: valueProblem(given),
    find: findProblem(given),
    when: whenProblem(given),
  };
  for (const [name, message] of Object.entries(problems))
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
});

export const channelOverrides = z.array(channelOverride).max(OVERRIDES_MAX);

export type ChannelOverride = z.output<typeof channelOverride>;
