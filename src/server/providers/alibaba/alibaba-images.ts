import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { dataUrl, filesOf } from '../form-files.ts';
import { readJson, wholeReply } from '../made-reply.ts';

/** Pictures of Qwen, Wan and Z-Image (help.aliyun.com/zh/model-studio/qwen-image-api), asked for and told in OpenAI's form. */
export const IMAGES_PATH = '/api/v1/services/aigc/multimodal-generation/generation';

/** What OpenAI has beside a picture's words that is said otherwise, or not at all. */
const OPENAIS = new Set([
  'model',
  'prompt',
  'size',
  'response_format',
  'quality',
  'style',
  'user',
  'stream',
  '$files',
]);

/**
 * OpenAI's request as its one message, with the pictures that are to be changed (help.aliyun.com/zh/model-studio,
 * qwen-image-edit-api); what is beside (`n`, `negative_prompt`, `seed`…) goes along as it is.
 */
export const writeImages = (body: Fields): Fields => {
  const { model, prompt, size } = body;
  if (body['stream'] === true)
    throw new AppError('invalid_request', 'stream: this upstream draws pictures whole', { param: 'stream' });
  const files = filesOf(body) ?? [];
  if (files.some(({ name }) => name === 'mask'))
    throw new AppError('invalid_request', 'mask: this upstream changes the whole picture', { param: 'mask' });
  const beside = Object.entries(body).filter(([name]) => !OPENAIS.has(name));
  const pixels = textOf(size);
  return {
    model,
    input: {
      messages: [
        { role: 'user', content: [...files.map((file) => ({ image: dataUrl(file) })), { text: prompt }] },
      ],
    },
    parameters: {
      ...Object.fromEntries(beside),
      ...(pixels !== undefined && pixels !== 'auto' && { size: pixels.replace('x', '*') }),
    },
  };
};

/** Asks for pictures, and answers with their addresses, which hold for a day. */
export const drawImages = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const reply = await tools.send(request, tools.signal);
  if (reply.status < 200 || reply.status >= 300) return reply;
  const answer = fieldsOf(await readJson(reply));
  const urls = listOf(fieldsOf(answer['output'])['choices']).flatMap((choice) =>
    listOf(fieldsOf(fieldsOf(choice)['message'])['content']).flatMap(
      (part) => textOf(fieldsOf(part)['image']) ?? [],
    ),
  );
  const list = { created: Math.trunc(tools.nowMs / 1000), data: urls.map((url) => ({ url })) };
  return wholeReply(reply.status, urls.length === 0 ? answer : list);
};
