import {
  foldedName,
  isLengthWord,
  mayHoldNumbers,
  MOST_ANSWERS,
  MOST_TOKENS,
  numberWordOf,
} from '../asked-words.ts';
import type { MessageKey } from '../messages.ts';

/*
 * What no override of a channel may do to a body, by whole fields or by rules: change what is sold, or ask for a number
 * that nobody can mean.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Words that upstreams have for how long and how large something shall be, folded. */
export const SECONDS_WORDS: ReadonlySet<string> = new Set([
  'seconds',
  'duration',
  'durationseconds',
  'durationinseconds',
  'videolength',
  'videoduration',
  'videoseconds',
  'clipduration',
  'cliplength',
  'targetduration',
  'outputduration',
  'numseconds',
  'nseconds',
]);
export const MILLISECONDS_WORDS: ReadonlySet<string> = new Set([
  'durationms',
  'durationmillis',
  'durationmilliseconds',
]);
export const FRAMES_WORDS: ReadonlySet<string> = new Set([
  'frames',
  'numframes',
  'nframes',
  'framecount',
  'numberofframes',
  'videoframes',
  'totalframes',
]);
export const FRAME_RATE_WORDS: ReadonlySet<string> = new Set(['fps', 'framerate', 'framespersecond']);
/** All that say how long. */
export const DURATION_WORDS: ReadonlySet<string> = new Set([
  ...SECONDS_WORDS,
  ...MILLISECONDS_WORDS,
  ...FRAMES_WORDS,
  ...FRAME_RATE_WORDS,
]);
export const RESOLUTION_WORDS: ReadonlySet<string> = new Set([
  'resolution',
  'size',
  'quality',
  'videosize',
  'videotype',
]);
/** Where bodies have them. */
const MEDIA_PLACES = ['parameters', 'extra_body', 'input', 'config', 'metadata', 'generationConfig'];

/**
 * Fields that decide what is asked for, what it costs, or how the answer is read, where it is priced by what the caller
 * asked: an override of them would sell one thing and buy another.
 */
const DECIDING: ReadonlySet<string> = new Set([
  'model',
  'models',
  'fallbacks',
  'stream',
  'background',
  'previousresponseid',
  'conversation',
]);
/** Objects that some upstreams unpack into the request. */
const UNPACKED: ReadonlySet<string> = new Set(['extra_body', 'extraBody']);
/** Objects whose fields are none but those of a request. */
const ALL_DECIDES: ReadonlySet<string> = new Set([...UNPACKED, 'parameters']);
const HOLDERS: ReadonlySet<string> = new Set([...UNPACKED, ...MEDIA_PLACES]);

const isMedia = (word: string): boolean => DURATION_WORDS.has(word) || RESOLUTION_WORDS.has(word);

const isDeciding = (path: readonly string[]): boolean => {
  const [first = '', second] = path;
  const word = foldedName(first);
  if (DECIDING.has(word) || isMedia(word)) return true;
  if (second === undefined || !HOLDERS.has(first)) return false;
  const inner = foldedName(second);
  if (second === '*') return path.length === 2 && ALL_DECIDES.has(first);
  const isNested = path.slice(2).some((name) => isMedia(foldedName(name)));
  return isMedia(inner) || isNested || (UNPACKED.has(first) && DECIDING.has(inner));
};

/** Pictures of a tool are held for and charged as a call of their own, which only callers ask for. */
const draws = ([first = '', second = '']: readonly string[], value: unknown): boolean =>
  (first === 'tools' || (second === 'tools' && UNPACKED.has(first))) &&
  JSON.stringify(value ?? null).includes('"image_generation"');

/** Whether an override at this path, or one that sets this value there, would change what is sold. */
export const isDecidingOverride = (path: readonly string[], value: unknown): boolean => {
  if (isDeciding(path) || draws(path, value)) return true;
  if (path.length > 1 || typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => isDecidingOverride([...path, name], inner));
};

/** A number that an override may not ask for. */
interface NumberProblem {
  readonly name: string;
  readonly issue: MessageKey;
}

/** Items of lists are messages, tools and schemas, which are not searched. */
const IN_LIST = /^(?:\*|-?\d+)$/;

/** The first invalid number of answers, or length of an answer, in the value set at this path; null removes a limit. */
export const numberProblem = (path: readonly string[], value: unknown): NumberProblem | undefined => {
  const holders = path.slice(0, -1);
  if (!holders.every((name, at) => !IN_LIST.test(name) && mayHoldNumbers(name, at + 1))) return undefined;
  return problemAt(path.at(-1) ?? '', value, path.length);
};

const problemAt = (name: string, value: unknown, depth: number): NumberProblem | undefined => {
  const least = leastOf(name);
  const isObject = typeof value === 'object' && value !== null;
  // Deeper down it may be a schema that describes a field of this name.
  if (least !== undefined && (depth === 1 || !isObject))
    return value === null || isWithin(value, least, mostOf(name))
      ? undefined
      : { name, issue: 'override_number' };
  if (!isObject || Array.isArray(value) || !mayHoldNumbers(name, depth)) return undefined;
  for (const [inner, of] of Object.entries(value)) {
    const problem = problemAt(inner, of, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/**
 * Fields that were saved before their numbers were checked, as they may go out: one that is too large becomes the largest
 * there may be, and one that is none is left out.
 */
export const withBoundedNumbers = (fields: Fields, depth = 1): Fields => {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    const bounded = boundedAt(name, value, depth);
    return bounded === undefined ? [] : [[name, bounded] as const];
  });
  return kept.length === Object.keys(fields).length && kept.every(([name, value]) => value === fields[name])
    ? fields
    : Object.fromEntries(kept);
};

const boundedAt = (name: string, value: unknown, depth: number): unknown => {
  if (problemAt(name, value, depth) === undefined) return value;
  // An object that holds the number; directly in the body such a name is always the number itself.
  if (typeof value === 'object' && (depth > 1 || leastOf(name) === undefined))
    return withBoundedNumbers(value as Fields, depth + 1);
  if (!Number.isInteger(value)) return undefined;
  // Some upstreams take −1 for "no limit", and the call is held for that.
  if (Number(value) <= 0) return isLengthWord(name) ? value : undefined;
  return mostOf(name);
};

const mostOf = (name: string): number => (isLengthWord(name) ? MOST_TOKENS : MOST_ANSWERS);

/** The least that a number of this name can be; undefined if it is no number of answers or tokens. */
const leastOf = (name: string): number | undefined => {
  const word = numberWordOf(name);
  if (word === undefined) return undefined;
  return word.startsWith('min') ? 0 : 1;
};

const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** Whether a model, or a pattern of models, is for realtime conversations: they have no body that rules could change. */
export const isRealtimeModel = (name: string): boolean => /(?:^|[-_/.*])realtime(?:$|[-_:.*])/i.test(name);
