import type { OnlyIn } from '#core/chat/request.ts';
import { isFields, listOf, type Fields } from '../openai/fields.ts';

/**
 * The first thing a chat request asks for that changes the answer and that an upstream of any other format cannot give;
 * undefined when any can serve it.
 */
export const readOnlyIn = (body: Fields): OnlyIn | undefined => {
  // Calls as they were before there were tools: their answers have a shape no other format could give back.
  if (listOf(body['functions']).length > 0) return only('functions', "send them as 'tools'");
  if (listOf(body['modalities']).includes('audio')) return only('modalities', 'no other speaks its answers');
  for (const param of ['web_search_options', 'moderation'] as const)
    if (isFields(body[param])) return only(param, 'it is work of the upstream itself');
  if (isFields(body['logit_bias']) && Object.keys(body['logit_bias']).length > 0)
    return only('logit_bias', 'its tokens are those of one model');
  if (body['logprobs'] === true) return only('logprobs', 'no other tells how likely its words were');
  return undefined;
};

const only = (param: string, why: string): OnlyIn => ({
  dialect: 'openai-chat',
  param,
  message: `'${param}' only exists for models of the OpenAI chat format: ${why}`,
});
