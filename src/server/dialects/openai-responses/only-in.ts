import { isSpareTool } from '#core/chat/leave-out-tools.ts';
import type { OnlyIn } from '#core/chat/request.ts';
import { isEffort } from '../openai/effort.ts';
import { isMode, readChoiceWord } from '../openai/tools/choice-word.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields, wordOf, isGiven } from '#core/json/fields.ts';
import { isUnknownWord } from '#core/json/unknown-word.ts';

/** Tools that other formats have too; web search is one of them. */
const KNOWN_TOOLS = /^(?:function|custom|web_search(?:_\d.*|_preview.*)?)$/;
const KNOWN_CHOICES: ReadonlySet<unknown> = new Set(['function', 'tool', 'custom', 'allowed_tools']);

export const LOGPROBS = 'message.output_text.logprobs';

/** What not every upstream can do: the first feature that only this format has, and the features that some formats have. */
export const readOnlyIn = (body: Fields): OnlyIn[] => {
  const own = readOwn(body);
  return [
    ...(own === undefined ? spareTools(body) : [own]),
    ...(wantsLogprobs(body) ? [onlyWithLogprobs] : []),
  ];
};

const readOwn = (body: Fields): OnlyIn | undefined => {
  const kept = keptUpstream(body);
  if (kept !== undefined) return kept;
  const hosted = hostedTools(body).find(({ type }) => !isSpareTool(type));
  if (hosted !== undefined) return onlyToolHere(hosted);
  const asked = unansweredElsewhere(body);
  if (asked !== undefined) return asked;
  const { effort } = fieldsOf(body['reasoning']);
  if (isUnknownWord(effort, isEffort))
    return only(
      'reasoning',
      `'reasoning': only an upstream of the Responses format may know ${JSON.stringify(effort)}`,
    );
  const choice = isFields(body['tool_choice']) ? body['tool_choice']['type'] : body['tool_choice'];
  const isWord = readChoiceWord(body['tool_choice']) !== undefined;
  if (isGiven(choice) && !isWord && (!KNOWN_CHOICES.has(choice) || namesHosted(body['tool_choice']))) {
    const type = textOf(choice) ?? '';
    return only(
      'tool_choice',
      `'tool_choice': '${type}' can only be chosen of an upstream of the Responses format`,
    );
  }
  return undefined;
};

interface HostedTool {
  readonly type: string;
  readonly param: string;
}

/** Tools that upstreams of this format run, or whose calls have a form that only this format has. */
const hostedTools = (body: Fields): HostedTool[] =>
  listOf(body['tools']).flatMap((tool, index) =>
    !isFields(tool) || KNOWN_TOOLS.test(wordOf(tool['type'])) || isOffline(tool)
      ? []
      : { type: textOf(tool['type']) ?? '', param: `tools.${index}` },
  );

const onlyToolHere = ({ type, param }: HostedTool): OnlyIn =>
  only(
    param,
    `'${param}': only the Responses format has the tool '${type}', and this upstream speaks another`,
  );

const spareTools = (body: Fields): OnlyIn[] =>
  hostedTools(body).map((tool) => ({ ...onlyToolHere(tool), spareTool: tool.type }));

const keptUpstream = (body: Fields): OnlyIn | undefined => {
  for (const param of ['previous_response_id', 'conversation', 'prompt'] as const) {
    if (isGiven(body[param])) return only(param, `'${param}' ${KEPT}`);
  }
  for (const param of ['store', 'background'] as const) {
    if (body[param] === true) return only(param, `'${param}' ${KEPT}`);
  }
  if (fieldsOf(body['prompt_cache_options'])['prewarm'] === true)
    return only(
      'prompt_cache_options',
      "'prompt_cache_options': asked to prewarm, an upstream of the Responses format fills its cache and answers nothing",
    );
  if (isGiven(body['moderation']))
    return only('moderation', "'moderation' is work of an upstream of the Responses format");
  return undefined;
};

/** Whether a choice of allowed tools includes one that the upstream runs, or is made in a way that is not known. */
const namesHosted = (choice: unknown): boolean =>
  isUnknownWord(fieldsOf(choice)['mode'], isMode) ||
  listOf(fieldsOf(choice)['tools']).some((tool) => textOf(fieldsOf(tool)['name']) === undefined);

const wantsLogprobs = (body: Fields): boolean =>
  (typeof body['top_logprobs'] === 'number' && body['top_logprobs'] > 0) ||
  listOf(body['include']).includes(LOGPROBS);

const onlyWithLogprobs: OnlyIn = {
  dialects: ['openai-responses', 'openai-chat', 'gemini'],
  param: 'top_logprobs',
  message: "'top_logprobs': this model does not tell how likely its words were",
};

const FORMATS: ReadonlySet<unknown> = new Set(['text', 'json_object', 'json_schema', undefined]);

/** A response format that no other upstream has. */
const unansweredElsewhere = (body: Fields): OnlyIn | undefined => {
  const format = fieldsOf(fieldsOf(body['text'])['format'])['type'];
  if (FORMATS.has(format)) return undefined;
  const message = `'text': '${wordOf(format)}' is only known to an upstream of the Responses format`;
  return only('text', message);
};

const KEPT =
  'needs an upstream that keeps responses, and this one does not: send the whole conversation as input';

/** A web search of cached pages only. Coding clients offer it to every model by default; models can answer without it. */
export const isOffline = (tool: Fields): boolean =>
  tool['type'] === 'web_search' && tool['external_web_access'] === false;

const only = (param: string, message: string): OnlyIn => ({
  dialects: ['openai-responses'],
  param,
  message,
});
