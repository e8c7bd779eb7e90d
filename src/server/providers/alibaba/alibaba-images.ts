import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import type { Offer } from '../../dialects/upstream.ts';
import { typedFields } from '../shared/request/form-files.ts';
import { PICTURE_FIELDS, picturesOf } from '../shared/request/pictures.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { sentFields } from '../shared/request/sent-fields.ts';
import { fetchMade } from './fetch-made.ts';
import { readJson, wholeReply } from '../shared/reply/synthetic-reply.ts';

/** Images of Qwen, Wan and Z-Image (help.aliyun.com/zh/model-studio/qwen-image-api), for callers of OpenAI's images API. */
export const GENERATION_PATH = '/api/v1/services/aigc/multimodal-generation/generation';

/** OpenAI's fields that have another name at Alibaba, or none. */
const OPENAIS = new Set([
  'model',
  'prompt',
  'size',
  'response_format',
  'quality',
  'style',
  'user',
  'stream',
  ...PICTURE_FIELDS,
  'mask',
  '$files',
]);

/**
 * Writes OpenAI's request as one message with the images to edit (help.aliyun.com/zh/model-studio, qwen-image-edit-api).
 * Further fields (`n`, `negative_prompt`, `seed`…) are passed on unchanged.
 */
export const writeImages = (body: Fields): Fields => {
  const { model, prompt, size } = body;
  if (body['stream'] === true)
    throw new AppError('invalid_request', 'stream: this upstream does not stream pictures', {
      param: 'stream',
    });
  refuseAsked(body, ['quality']);
  const beside = Object.entries(typedFields(body)).filter(([name]) => !OPENAIS.has(name));
  const pixels = textOf(size);
  return {
    ...(body['response_format'] === 'b64_json' && { [IN_BASE64]: true }),
    model,
    input: {
      messages: [
        { role: 'user', content: [...picturesOf(body).map((image) => ({ image })), { text: prompt }] },
      ],
    },
    parameters: {
      ...Object.fromEntries(beside),
      ...(pixels !== undefined && pixels !== 'auto' && { size: pixels.replace('x', '*') }),
    },
  };
};

/** Marks, in a body, that the images themselves are asked for; taken out before it is sent. */
const IN_BASE64 = 'in_base64';

/** Generates images. The reply has their URLs, which are valid for a day, or what they lead to. */
export const drawImages: NonNullable<Offer['deliver']> = async (marked, _, tools) => {
  const { [IN_BASE64]: inBase64, ...body } = sentFields(marked);
  const request = inBase64 === undefined ? marked : { ...marked, body: JSON.stringify(body) };
  const reply = await tools.send(request, tools.signal);
  if (reply.status < 200 || reply.status >= 300) return reply;
  const answer = fieldsOf(await readJson(reply));
  const urls = listOf(fieldsOf(answer['output'])['choices']).flatMap((choice) =>
    listOf(fieldsOf(fieldsOf(choice)['message'])['content']).flatMap(
      (part) => textOf(fieldsOf(part)['image']) ?? [],
    ),
  );
  if (urls.length === 0) return wholeReply(reply.status, answer);
  const data =
    inBase64 === undefined ? urls.map((url) => ({ url })) : await fetchedImages(request, urls, tools);
  return wholeReply(reply.status, { created: Math.trunc(tools.nowMs / 1000), data });
};

const fetchedImages = async (
  request: OutboundRequest,
  urls: readonly string[],
  tools: AuthorizeTools,
): Promise<Fields[]> => {
  const images: Fields[] = [];
  try {
    // One after the other: each may be large.
    for (const url of urls)
      images.push({ b64_json: (await fetchMade(request, url, tools)).toString('base64') });
    return images;
  } catch (thrown) {
    tools.noteWork?.({ data: urls.map((url) => ({ url })) });
    throw thrown;
  }
};
