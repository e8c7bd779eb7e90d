import { mayBeDone } from '#core/channel/retry.ts';
import type { AppError } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import { fieldsOf, isFields, textOf, type Fields } from '../dialects/openai/fields.ts';
import { known, type Running } from './running.ts';

/** Calls that make something each time they are asked for. */
const MAKING: ReadonlySet<RelayOperation> = new Set(['images', 'image-edits', 'image-variations']);

/**
 * Tools that may be offered twice: those that the caller runs itself, and those of the upstream that only look something
 * up. Any other, and one nobody has heard of, may write a file, draw, or act through somebody else's server.
 */
const HARMLESS_TOOLS =
  /^(?:function|custom|web_search|web_fetch|x_search|file_search|tool_search|computer|local_shell|apply_patch|bash|text_editor|memory)/;
/** The same in Gemini's format, where the name of a field says what a tool is. */
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
 * Whether a call may be given to another channel while nobody knows what became of it at this one. Words, vectors and
 * sounds may be made twice, which costs an upstream something and harms nobody; pictures, tasks, what goes on in the
 * background, what is kept because the caller says so, and what acts in the world may not. A response that is kept because
 * the caller says nothing of it may: nobody knows its id.
 */
export const canRepeat = (running: Running): boolean => {
  const { call, background, goesOn } = running;
  if (MAKING.has(call.operation)) return false;
  if (call.operation !== 'chat') return true;
  if (background !== undefined || goesOn !== undefined) return false;
  const { told, far } = known(running.asked, 'read');
  return far?.actsNowhere ?? actsNowhere(told);
};

/**
 * Whether a call that failed may have done what must not be done twice: then its caller is not told to send it again. By
 * the same rule as it is not given to another channel, and where it was ended by us after it had gone out.
 */
export const mayHaveDone = (running: Running, error: AppError): boolean => {
  if (running.asked === undefined || running.channel === undefined || canRepeat(running)) return false;
  return mayBeDone(error) || running.stopped !== undefined || error.code === 'internal';
};

/** Whether nothing that a chat asks for is kept, drawn or done in the world. */
export const actsNowhere = (told: Fields): boolean => {
  if (told['store'] === true) return false;
  if (Array.isArray(told['mcp_servers']) && told['mcp_servers'].length > 0) return false;
  if (modalitiesOf(told).some((modality) => /image|video/i.test(modality))) return false;
  const { tools } = told;
  return !Array.isArray(tools) || tools.filter(isFields).every(isHarmless);
};

const isHarmless = (tool: Fields): boolean => {
  const type = textOf(tool['type']);
  if (type !== undefined) return HARMLESS_TOOLS.test(type);
  // Anthropic's own tools of the caller have a name and a schema, and need no type.
  if (tool['name'] !== undefined || tool['function'] !== undefined) return true;
  return Object.keys(tool).every((name) => HARMLESS_FIELDS.has(name.replaceAll('_', '').toLowerCase()));
};

/** What kinds of answer are asked for, in the formats that can ask for more than text. */
const modalitiesOf = (told: Fields): string[] => {
  const config = fieldsOf(told['generationConfig'] ?? told['generation_config']);
  const asked = told['modalities'] ?? config['responseModalities'] ?? config['response_modalities'];
  return Array.isArray(asked) ? asked.map(String) : [];
};
