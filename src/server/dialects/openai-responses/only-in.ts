import type { OnlyIn } from '#core/chat/request.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../openai/fields.ts';

const KNOWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);

/** The first thing in a request that only an upstream of this format can do; undefined when any can serve it. */
export const readOnlyIn = (body: Fields): OnlyIn | undefined => {
  const kept = keptUpstream(body);
  if (kept !== undefined) return kept;
  for (const tool of listOf(body['tools']).filter(isFields)) {
    if (KNOWN_TOOLS.has(tool['type']) || isOffline(tool)) continue;
    const type = textOf(tool['type']) ?? '';
    const message = `'tools': the tool '${type}' is run by an upstream of the Responses format, and this one speaks another`;
    return only('tools', message);
  }
  const asked = unansweredElsewhere(body);
  if (asked !== undefined) return asked;
  const choice = fieldsOf(body['tool_choice'])['type'];
  if (choice !== undefined && !KNOWN_TOOLS.has(choice)) {
    const type = textOf(choice) ?? '';
    return only(
      'tool_choice',
      `'tool_choice': '${type}' can only be chosen of an upstream of the Responses format`,
    );
  }
  return undefined;
};

const keptUpstream = (body: Fields): OnlyIn | undefined => {
  for (const param of ['previous_response_id', 'conversation', 'prompt'] as const) {
    if (isGiven(body[param])) return only(param, `'${param}' ${KEPT}`);
  }
  for (const param of ['store', 'background'] as const) {
    if (body[param] === true) return only(param, `'${param}' ${KEPT}`);
  }
  if (isGiven(body['moderation']))
    return only('moderation', "'moderation' is work of an upstream of the Responses format");
  const logprobs = body['top_logprobs'];
  if (typeof logprobs === 'number' && logprobs > 0)
    return only('top_logprobs', "'top_logprobs' is only answered by an upstream of the Responses format");
  return undefined;
};

const FORMATS: ReadonlySet<unknown> = new Set(['text', 'json_object', 'json_schema', undefined]);

/** What would be missing in the answer of any other upstream. */
const unansweredElsewhere = (body: Fields): OnlyIn | undefined => {
  if (listOf(body['include']).includes('message.output_text.logprobs'))
    return only('include', "'include': logprobs are only answered by an upstream of the Responses format");
  const format = fieldsOf(fieldsOf(body['text'])['format'])['type'];
  if (FORMATS.has(format)) return undefined;
  const message = `'text': '${String(format)}' is only known to an upstream of the Responses format`;
  return only('text', message);
};

const KEPT =
  'needs an upstream that keeps responses, and this one does not: send the whole conversation as input';

/** Coding clients offer a search of what is cached to every model unasked: without it the model answers all the same. */
const isOffline = (tool: Fields): boolean =>
  tool['type'] === 'web_search' && tool['external_web_access'] === false;

const only = (param: string, message: string): OnlyIn => ({ dialect: 'openai-responses', param, message });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
