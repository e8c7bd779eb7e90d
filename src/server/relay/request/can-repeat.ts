import type { RelayOperation } from '#core/operation.ts';
import { fieldsOf, isFields, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import type { Continuation } from './request.ts';
import type { Asked } from '../stages.ts';

/** Operations that create something each time they run. */
const MAKING: ReadonlySet<RelayOperation> = new Set(['images', 'image-edits', 'image-variations']);

/**
 * Tools that may be offered twice safely: those the caller runs itself, and upstream tools that only look something up.
 * Any other, including unknown ones, may write a file, draw, or act through another server.
 */
const HARMLESS_TOOLS = new RegExp(
  `^(?:${[
    'function|custom|web_search|web_fetch|x_search|file_search|tool_search|computer|browser_toolset',
    'local_shell|apply_patch|bash|text_editor|memory',
  ].join('|')})`,
);
/** The same in Gemini's format, where the field name identifies the tool. */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
  'functiondeclarations',
  'googlesearch',
  'googlesearchretrieval',
  'googlemaps',
  'urlcontext',
  'enterprisewebsearch',
  'retrieval',
  'filesearch',
  'computeruse',
]);

/**
 * Whether a call may be retried on another channel although this one may have executed it. Text, vectors and audio may
 * be made twice: it costs an upstream something and harms nobody. Pictures, tasks, background work, responses the
 * caller asked to keep, and tools with side effects may not. A response kept by default may: nobody knows its id.
 */
export const canRepeat = (
  { call, live, request }: Asked,
  continuation: Continuation | undefined,
): boolean => {
  if (MAKING.has(call.operation)) return false;
  if (call.operation !== 'chat') return true;
  if (live.background !== undefined || continuation !== undefined) return false;
  return request.far?.hasNoEffects ?? hasNoEffects(request.fields);
};

/** Whether a chat asks for nothing that is kept, drawn or has side effects. */
export const hasNoEffects = (fields: Fields): boolean =>
  fields['store'] !== true && !asksForPictures(fields) && !offersActs(fields);

/** Whether a chat, as its caller wrote it, offers the upstream tools that may act before the upstream refuses it. */
export const mayAct = ({ request: { far, fields } }: Pick<Asked, 'request'>): boolean =>
  far === undefined ? offersActs(fields) : !far.hasNoEffects;

const offersActs = ({ mcp_servers, tools }: Fields): boolean =>
  (Array.isArray(mcp_servers) && mcp_servers.length > 0) ||
  (Array.isArray(tools) && !tools.filter(isFields).every(isHarmless));

const isHarmless = (tool: Fields): boolean => {
  const type = textOf(tool['type']);
  if (type !== undefined) return HARMLESS_TOOLS.test(type);
  // Anthropic's client tools have a name and a schema, and need no type.
  if (tool['name'] !== undefined || tool['function'] !== undefined) return true;
  return Object.keys(tool).every((name) => HARMLESS_FIELDS.has(name.replaceAll('_', '').toLowerCase()));
};

/** Whether a chat asks for pictures between the words of its answer. */
export const asksForPictures = (fields: Fields): boolean =>
  modalitiesOf(fields).some((modality) => /image|video/i.test(modality));

/** The kinds of output requested, in formats that support more than text. */
const modalitiesOf = (fields: Fields): string[] => {
  const config = fieldsOf(fields['generationConfig'] ?? fields['generation_config']);
  const asked = fields['modalities'] ?? config['responseModalities'] ?? config['response_modalities'];
  return Array.isArray(asked) ? asked.map(wordOf) : [];
};
