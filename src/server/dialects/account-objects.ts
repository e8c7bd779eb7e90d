import { AppError } from '#core/error.ts';
import { isSharedPart } from '#core/json/known-parts.ts';
import type { Fields } from '#core/json/fields.ts';

/*
 * What a request names of the account that a channel's key belongs to: files, cached contents, stored prompts, vector
 * stores, buckets. An upstream tells accounts apart, but not our callers, who all share one: whoever names a thing there
 * reads it, whoever made it. Docs: SECURITY.md, "Things in the accounts of upstreams".
 */

/** Lower case, letters only. */
const NAMES: ReadonlySet<string> = new Set([
  // Files
  'fileid',
  'fileids',
  'gcsuri',
  // What a conversation begins with, and answers that are kept or written elsewhere
  'cachedcontent',
  'cachedcontents',
  'cachedcontentname',
  'continuationtoken',
  'generationoutputconfig',
  // Stores that are searched, by what they are called in each format
  'vectorstoreid',
  'vectorstoreids',
  'filesearchstorenames',
  'vertexaisearch',
  'vertexragstore',
  'externalapi',
  'datasources',
  'knowledgeid',
  'knowledgeids',
  'knowledgebaseid',
  'knowledgebaseids',
  'collectionids',
  'libraryids',
  // Checks, ways in and secrets
  'modelarmorconfig',
  'tunnelid',
  'authconfig',
  'apiauth',
]);

/** Objects with an id of what is named; other objects of these names are made by the caller. */
const WITH_ID: ReadonlySet<string> = new Set(['prompt', 'voice']);

/** The built-in ones are everybody's. */
const OWN_SKILL = /^skill_/;

/** Where media is fetched from. */
const PLACES: ReadonlySet<string> = new Set([
  'url',
  'uri',
  'image',
  'imageurl',
  'audiourl',
  'video',
  'videourl',
  'fileurl',
  'fileuri',
]);
/** Addresses that are read with the account's own rights. */
const IN_ACCOUNT = [
  /^\s*(?:gs|s3|oss|cos|tos|abfss?|asset|fileid|azureml|mongodb):\/\//i,
  /^\s*\/?files\//i,
  /^\s*https?:\/\/(?:[^/?#@]*@)?generativelanguage\.googleapis\.com/i,
];

/** Schemas, arguments and labels of the caller's own, and what an upstream said earlier. */
const NOT_LOOKED_INTO: ReadonlySet<string> = new Set([
  'parameters',
  'parametersjsonschema',
  'inputschema',
  'inputexamples',
  'outputschema',
  'schema',
  'jsonschema',
  'responseschema',
  'responsejsonschema',
  'arguments',
  'args',
  'response',
  'metadata',
  'labels',
  'annotations',
  'citations',
  'results',
  'outputs',
  'logprobs',
  'logitbias',
  'guidedjson',
]);

type Kind = 'name' | 'with-id' | 'skill' | 'place' | 'skipped' | 'content' | 'input' | 'other';

const kindOfWord = (word: string): Kind => {
  if (NAMES.has(word)) return 'name';
  if (WITH_ID.has(word)) return 'with-id';
  if (PLACES.has(word)) return 'place';
  if (NOT_LOOKED_INTO.has(word)) return 'skipped';
  if (word === 'skillid') return 'skill';
  return word === 'content' || word === 'input' ? word : 'other';
};

const kinds = new Map<string, Kind>();
const KINDS_MAX = 1000;
/** No name that is looked for is as long in any spelling. */
const NAME_MAX_LENGTH = 40;

/** Remembered: requests have few different names. Where a caller makes many up, it begins again. */
const kindOf = (name: string): Kind => {
  let kind = kinds.get(name);
  if (kind !== undefined) return kind;
  if (name.length > NAME_MAX_LENGTH) return 'other';
  kind = kindOfWord(
    name
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[^a-z]/g, ''),
  );
  if (kinds.size >= KINDS_MAX) kinds.clear();
  kinds.set(name, kind);
  return kind;
};

const MAX_DEPTH = 64;
/** An upstream's own tool answered in an earlier turn. What a caller's tool answered is `tool_result`. */
const ANSWERED_UPSTREAM = /_tool_result$/;

/** Of messages and tools that come again with every call. */
const known = new WeakMap<object, string | undefined>();

/**
 * The first field of a request, in any format, that names something in the upstream's account, by its path; undefined if
 * none does.
 */
export const accountObjectIn = (fields: Fields): string | undefined => inObject(fields, 0);

/** What is said of such a field. */
export const accountObjectRefused = (param: string): AppError =>
  new AppError(
    'invalid_request',
    `'${param}' names something in the account of the upstream, which others here share: send its content instead`,
    { param, reason: 'account_object' },
  );

const inObject = (fields: Fields, depth: number): string | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  const type = depth === 0 ? '' : blockType(fields);
  if (ANSWERED_UPSTREAM.test(type)) return undefined;
  for (const name in fields) {
    const value = fields[name];
    const kind = kindOf(name);
    // The arguments of a call are the caller's own.
    if (kind === 'skipped' || (kind === 'input' && type.endsWith('tool_use'))) continue;
    let found: string | undefined;
    if (typeof value === 'object' && value !== null) found = inValue(value, kind, depth);
    else if (kind !== 'other' && typeof value === 'string' && isNamed(kind, value, fields)) found = '';
    if (found !== undefined) return found === '' ? name : `${name}.${found}`;
  }
  return undefined;
};

/** The type of a block or item. What has a role is a message, whatever it says beside. */
const blockType = ({ type, role }: Fields): string =>
  typeof type === 'string' && role === undefined ? type : '';

/** The path below a field; empty for the field itself. */
const inValue = (value: object, kind: Kind, depth: number): string | undefined => {
  const isList = Array.isArray(value);
  if (kind === 'name' && (isList ? value : Object.keys(value)).length > 0) return '';
  if (kind === 'with-id' && typeof (value as Fields)['id'] === 'string') return 'id';
  return isList ? inList(value, kind, depth + 1) : inObject(value as Fields, depth + 1);
};

const isNamed = (kind: Kind, text: string, { role }: Fields): boolean => {
  switch (kind) {
    case 'name':
      return text !== '';
    case 'place':
      return IN_ACCOUNT.some((place) => place.test(text));
    case 'skill':
      return OWN_SKILL.test(text);
    case 'content':
      // Alibaba's way to name files.
      return role === 'system' && text.startsWith('fileid://');
    default:
      return false;
  }
};

const inList = (list: readonly unknown[], kind: Kind, depth: number): string | undefined => {
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    const found =
      typeof item === 'string'
        ? isNamed(kind, item, NO_FIELDS)
          ? ''
          : undefined
        : typeof item === 'object' && item !== null
          ? inItem(item, kind, depth)
          : undefined;
    if (found !== undefined) return found === '' ? String(at) : `${at}.${found}`;
  }
  return undefined;
};

const NO_FIELDS: Fields = {};

const inItem = (item: object, kind: Kind, depth: number): string | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(item)) return inList(item, kind, depth + 1);
  if (!isSharedPart(item)) return inObject(item as Fields, depth + 1);
  if (known.has(item)) return known.get(item);
  const found = inObject(item as Fields, depth + 1);
  known.set(item, found);
  return found;
};
