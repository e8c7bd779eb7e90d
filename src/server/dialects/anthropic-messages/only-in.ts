import type { OnlyIn } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf, type Fields, isGiven } from '#core/json/fields.ts';

/**
 * The first field of a Messages request that upstreams of other formats cannot serve; undefined if there is none.
 * Upstream tools are checked separately.
 */
export const readOnlyIn = (body: Fields): readonly OnlyIn[] | undefined => {
  const asked = onlyHere(body);
  return asked === undefined ? undefined : [asked];
};

const onlyHere = (body: Fields): OnlyIn | undefined => {
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
  const sealed = listOf(body['messages']).findIndex((message) =>
    listOf(fieldsOf(message)['content']).some(isSealedCompaction),
  );
  return sealed === -1 ? undefined : only(`messages.${sealed}`, 'only it can read what it had compacted');
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
