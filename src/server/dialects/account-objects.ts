import { AppError } from '#core/error.ts';
import { isSharedPart } from '#core/json/known-parts.ts';
import type { Fields } from '#core/json/fields.ts';
import { addContainer, isContainerId, type NamedContainer } from './containers.ts';

// Finds what a request names in the upstream account of a channel's key: files, cached contents, stored prompts, vector
// stores, buckets. An upstream separates accounts but not our callers, who share one: a caller who names an object
// there could read it, whoever created it. Docs: SECURITY.md, "Objects in upstream accounts".

/** In lower case, letters only. */
const NAMES: ReadonlySet<string> = new Set([
  // Files
  'fileid',
  'fileids',
  'gcsuri',
  // Starting points of a conversation, and answers stored or written elsewhere
  'cachedcontent',
  'cachedcontents',
  'cachedcontentname',
  'continuationtoken',
  'generationoutputconfig',
  // Stores for search, by their name in each format
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
  // Checks, credentials and secrets
  'modelarmorconfig',
  'tunnelid',
  'authconfig',
  'apiauth',
  // Whom Anthropic bills, and where
  'userprofileid',
  'workspaceid',
]);

/**
 * Fields that name an object of the account if they contain an id; without one, the caller defines the object itself.
 */
const WITH_ID: ReadonlySet<string> = new Set(['prompt', 'voice']);

/** Built-in skills belong to everybody. */
const OWN_SKILL = /^skill_/;

/** Fields with the address media is fetched from. */
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
/** Addresses that are read with the account's permissions. */
const IN_ACCOUNT = [
  /^\s*(?:gs|s3|oss|cos|tos|abfss?|asset|fileid|azureml|mongodb):\/\//i,
  /^\s*\/?files\//i,
  /^\s*https?:\/\/(?:[^/?#@]*@)?generativelanguage\.googleapis\.com/i,
];

/** The caller's own schemas, arguments and labels, and earlier output of an upstream. */
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

type Kind =
  | 'name'
  | 'with-id'
  | 'skill'
  | 'payer'
  | 'place'
  | 'skipped'
  | 'content'
  | 'input'
  | 'container'
  | 'other';

const kindOfWord = (word: string): Kind => {
  if (NAMES.has(word)) return 'name';
  if (WITH_ID.has(word)) return 'with-id';
  if (PLACES.has(word)) return 'place';
  if (NOT_LOOKED_INTO.has(word)) return 'skipped';
  if (word === 'skillid') return 'skill';
  if (word === 'billto') return 'payer';
  if (word === 'container' || word === 'containerid') return 'container';
  return word === 'content' || word === 'input' ? word : 'other';
};

const kinds = new Map<string, Kind>();
const KINDS_MAX = 1000;
/** Longer than any of these names in any spelling. */
const NAME_MAX_LENGTH = 40;

/** Cached, because requests have few different names. If a caller invents many, the cache is cleared. */
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
/** The result of an upstream's own tool in an earlier turn. The result of a caller's tool is `tool_result`. */
const ANSWERED_UPSTREAM = /_tool_result$/;

/** Results for messages and tools that are sent again with every call. */
const known = new WeakMap<object, string | undefined>();
/** The containers found in those that name some. */
const knownContainers = new WeakMap<object, readonly NamedContainer[]>();

/**
 * The path of the first field of a request, in any format, that names an object in the upstream's account; undefined if
 * there is none.
 * @param containers receives the containers named before that field, with their paths, because some belong to callers
 */
export const accountObjectIn = (fields: Fields, containers: NamedContainer[] = []): string | undefined =>
  inObject(fields, 0, { containers, isSaid: false });

/** What was found so far, and whether the walk is inside an earlier call of the upstream. */
interface Walk {
  readonly containers: NamedContainer[];
  isSaid: boolean;
}

/** Whom Anthropic bills, and where: what a profile or a workspace is named by in a request's head. */
export const ACCOUNT_HEADERS = ['anthropic-user-profile-id', 'anthropic-workspace-id'] as const;

/** The error for such a field. */
export const accountObjectRefused = (param: string): AppError =>
  new AppError(
    'invalid_request',
    `'${param}' names an object in the upstream's account, which is shared by all callers: send its content instead`,
    { param, reason: 'account_object' },
  );

/** A call of an upstream's own tool in an earlier answer; it names where it ran. */
const CALLED_UPSTREAM = /_call$/;

const inObject = (fields: Fields, depth: number, walk: Walk): string | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  const type = depth === 0 ? '' : blockType(fields);
  if (ANSWERED_UPSTREAM.test(type)) return undefined;
  const { isSaid: wasSaid, containers } = walk;
  if (CALLED_UPSTREAM.test(type)) walk.isSaid = true;
  for (const name in fields) {
    const value = fields[name];
    const kind = kindOf(name);
    // The arguments of a call are the caller's own.
    if (kind === 'skipped' || (kind === 'input' && type.endsWith('tool_use'))) continue;
    const before = containers.length;
    let found: string | undefined;
    if (typeof value === 'object' && value !== null) found = inValue(value, kind, depth, walk);
    else if (kind !== 'other' && typeof value === 'string' && isNamed(kind, value, fields, walk)) found = '';
    if (found !== undefined) return under(name, found);
    if (containers.length > before) placeUnder(name, walk, before);
  }
  walk.isSaid = wasSaid;
  return undefined;
};

/** The type of a block or item. Anything with a role is a message, whatever its type. */
const blockType = ({ type, role }: Fields): string =>
  typeof type === 'string' && role === undefined ? type : '';

const under = (name: string, path: string): string => (path === '' ? name : `${name}.${path}`);

const placeUnder = (name: string, { containers }: Walk, from: number): void => {
  for (const [at, container] of containers.entries())
    if (at >= from) containers[at] = { ...container, param: under(name, container.param) };
};

/** The path below a field; empty for the field itself. */
const inValue = (value: object, kind: Kind, depth: number, walk: Walk): string | undefined => {
  const isList = Array.isArray(value);
  if (kind === 'name' && (isList ? value : Object.keys(value)).length > 0) return '';
  if (isList) return inList(value, kind, depth + 1, walk);
  const id = (value as Fields)['id'];
  if (kind === 'with-id' && typeof id === 'string') return 'id';
  if (kind === 'container' && typeof id === 'string' && noteContainer(walk, id, 'id')) return 'id';
  return inObject(value as Fields, depth + 1, walk);
};

const isNamed = (kind: Kind, text: string, { role }: Fields, walk: Walk): boolean => {
  switch (kind) {
    case 'name':
      return text !== '';
    case 'place':
      return IN_ACCOUNT.some((place) => place.test(text));
    case 'skill':
      return OWN_SKILL.test(text);
    case 'payer':
      // A header names the profile, which callers cannot send.
      return text === 'user_profile';
    case 'container':
      return noteContainer(walk, text);
    case 'content':
      // Alibaba's way of naming files.
      return role === 'system' && text.startsWith('fileid://');
    default:
      return false;
  }
};

/** Adds a container. True if there are too many to look up: then the whole request is refused. */
const noteContainer = ({ containers, isSaid }: Walk, id: string, param = ''): boolean =>
  isContainerId(id) && !addContainer(containers, { id, param, isSaid });

const inList = (list: readonly unknown[], kind: Kind, depth: number, walk: Walk): string | undefined => {
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    const before = walk.containers.length;
    let found: string | undefined;
    if (typeof item === 'string') found = isNamed(kind, item, NO_FIELDS, walk) ? '' : undefined;
    else if (typeof item === 'object' && item !== null) found = inItem(item, kind, depth, walk);
    if (found !== undefined) return under(String(at), found);
    if (walk.containers.length > before) placeUnder(String(at), walk, before);
  }
  return undefined;
};

const NO_FIELDS: Fields = {};

const inItem = (item: object, kind: Kind, depth: number, walk: Walk): string | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(item)) return inList(item, kind, depth, walk);
  if (!isSharedPart(item)) return inObject(item as Fields, depth + 1, walk);
  if (!known.has(item)) {
    const ofItem: Walk = { containers: [], isSaid: walk.isSaid };
    known.set(item, inObject(item as Fields, depth + 1, ofItem));
    if (ofItem.containers.length > 0) knownContainers.set(item, ofItem.containers);
  }
  const areTooMany = knownContainers
    .get(item)
    ?.some((container) => !addContainer(walk.containers, container));
  return known.get(item) ?? (areTooMany === true ? '' : undefined);
};
