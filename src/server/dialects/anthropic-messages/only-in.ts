import type { ChatRequest, OnlyIn } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf, type Fields, isGiven } from '#core/json/fields.ts';
import { isEffort } from '../openai/effort.ts';
import { isUnknownWord } from '#core/json/unknown-word.ts';
import { isThinking } from './request/thinking.ts';

/** What was read of the fields. */
type Read = Pick<ChatRequest, 'responseFormat' | 'toolChoice'>;

/**
 * The first field of a Messages request that upstreams of other formats cannot serve; undefined if there is none.
 * Upstream tools are checked separately.
 */
export const readOnlyIn = (body: Fields, read: Read): readonly OnlyIn[] | undefined => {
  const asked = onlyHere(body, read);
  return asked === undefined ? undefined : [asked];
};

const onlyHere = (body: Fields, read: Read): OnlyIn | undefined => {
  if (listOf(body['mcp_servers']).length > 0) return only('mcp_servers', 'it calls their tools itself');
  if (listOf(fieldsOf(body['container'])['skills']).length > 0)
    return only('container', 'it runs skills itself');
  if (body['max_tokens'] === 0)
    return only('max_tokens', 'asked for 0 tokens, it reads the prompt into its cache and answers nothing');
  if (isGiven(body['thread'])) return only('thread', 'it keeps conversations');
  if (isGiven(body['compaction']))
    return only('compaction', 'only it reads what that makes of a conversation');
  const place = textOf(body['inference_geo']);
  if (place !== undefined && place !== 'global') return only('inference_geo', 'it promises where it works');
  const odd = oddField(body, read);
  if (odd !== undefined) return only(odd, 'others do not know what it says');
  const sealed = listOf(body['messages']).findIndex((message) =>
    listOf(fieldsOf(message)['content']).some(isSealedCompaction),
  );
  return sealed === -1 ? undefined : only(`messages.${sealed}`, 'only it can read what it had compacted');
};

/** The first field that changes the answer and has a value that this format is not known to have. */
const oddField = (body: Fields, { responseFormat, toolChoice }: Read): string | undefined => {
  const { effort, format } = fieldsOf(body['output_config']);
  if (isUnknownWord(effort, isEffort)) return 'output_config.effort';
  if (isGiven(format) && responseFormat === undefined) return 'output_config.format';
  if (isGiven(body['output_format']) && responseFormat === undefined) return 'output_format';
  if (isUnknownWord(fieldsOf(body['thinking'])['type'], isThinking)) return 'thinking';
  return isUnknownWord(body['tool_choice'], () => toolChoice !== undefined) ? 'tool_choice' : undefined;
};

/** A summary of the conversation in encrypted form only. */
const isSealedCompaction = (block: unknown): boolean => {
  const { type, content } = fieldsOf(block);
  return type === 'compaction' && textOf(content) === undefined;
};

const only = (param: string, why: string): OnlyIn => ({
  dialects: ['anthropic-messages'],
  param,
  message: `'${param}' needs an upstream of the Messages format: ${why}`,
});
