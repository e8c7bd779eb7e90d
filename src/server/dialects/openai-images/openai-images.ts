import { foldedName } from '#contract/asked-words.ts';
import { z } from 'zod';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { choiceCount, flag, modelName, parseBounds, parseField } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { DEAREST_MEDIA, estimateTokens, measurePrompt } from '../openai/usage/estimate-tokens.ts';
import { fieldsOf, isFields, listOf, otherFields, type Fields } from '#core/json/fields.ts';
import { readPictureUsage, tapMedia } from '../openai/usage/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { askedPicture, imageFactor, imageTokens, imageTokensMost, previewTokens } from './image-size.ts';

const bounds = z.object({
  model: modelName,
  prompt: z.string().nullish(),
  n: choiceCount,
  size: z.string().max(32).nullish(),
  quality: z.string().max(32).nullish(),
  stream: flag,
});

/** A picture that is sent along: about what one of 1024 by 1024 is. */
const INPUT_IMAGE_TOKENS = 1000;
/** What is added to keep a picture as it is, if it is not square (developers.openai.com, Image generation, "Input fidelity"). */
const KEPT_IMAGE_TOKENS = 6240;
/** Models that keep every picture, and the one that keeps none. */
const KEEPS_ALL = /(?:^|\/)gpt-image-(?!1(?:\.5)?(?!\.?\d))/;
const KEEPS_NONE = /(?:^|\/)gpt-image-1-mini/;

/** Fields of a JSON body with pictures: one, or a list of them. */
const PICTURE_FIELDS = [
  'image',
  'images',
  'mask',
  'input_image',
  'input_images',
  'reference_images',
] as const;

/** How many pictures are sent along, in a form or in JSON. */
const picturesSent = (body: Fields): number =>
  PICTURE_FIELDS.reduce((sum, name) => {
    const value = body[name] ?? [];
    return sum + (Array.isArray(value) ? value.length : 1);
  }, listOf(body['$files']).length);

const tokensOfSent = (model: string, body: Fields): number => {
  const isKept = KEEPS_ALL.test(model) || (body['input_fidelity'] === 'high' && !KEEPS_NONE.test(model));
  return picturesSent(body) * (INPUT_IMAGE_TOKENS + (isKept ? KEPT_IMAGE_TOKENS : 0));
};

/**
 * `n` and its other names among upstreams of this format, without case and punctuation; most know only one of them.
 */
const COUNT_WORDS: ReadonlySet<string> = new Set([
  'n',
  'numimages',
  'numberofimages',
  'numimagesperprompt',
  'imagecount',
  'imagenum',
  'batchsize',
  'numoutputs',
  'numresults',
  'numberresults',
  'samples',
  'numsamples',
  'samplecount',
  'maximages',
]);
/** Objects in which some upstreams expect it, besides the prompt; one may contain another. */
const INNER_OBJECTS: ReadonlySet<string> = new Set([
  'parameters',
  'extrabody',
  'extrafields',
  'input',
  'options',
  'config',
  'generationconfig',
  'sequentialimagegenerationoptions',
]);
const DEEPEST = 4;

const countsIn = (fields: Fields, depth = 0): (readonly [string, unknown])[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const word = foldedName(name);
    if (COUNT_WORDS.has(word)) return [[name, value] as const];
    return depth < DEEPEST && INNER_OBJECTS.has(word) && isFields(value) ? countsIn(value, depth + 1) : [];
  });

/** The number of pictures in a request, from any of its fields. Throws `invalid_request` above the maximum. */
const picturesAsked = (body: Fields): number =>
  Math.max(
    1,
    ...countsIn(body).map(([name, count]) => {
      const asNumber = typeof count === 'string' ? Number(count) : count;
      return parseField(choiceCount, name, asNumber) ?? 1;
    }),
  );

const facts = (body: Fields): RequestFacts => {
  const request = parseBounds(bounds, body);
  const count = picturesAsked(body);
  const picture = askedPicture(body);
  const sentTokens = tokensOfSent(request.model, body);
  const { tokens, most = tokens } = measurePrompt(request.prompt ?? '');
  return {
    model: request.model,
    stream: request.stream ?? false,
    maxOutputTokens: imageTokens(picture) + previewTokens(body),
    outputTokensMost: imageTokensMost(picture) + previewTokens(body),
    choices: count,
    callFactor: imageFactor(request.model, picture) * count,
    inputTokensEstimate: 16 + tokens + sentTokens,
    ...(sentTokens > 0 && { pictureTokens: sentTokens }),
    promptTokensMost: 16 + most + sentTokens * DEAREST_MEDIA,
    wantsStreamUsage: true,
  };
};

/** The usage of pictures if the upstream reports none, from the vendors' token tables. */
const usageWithoutReport = (body: Fields, reply: unknown): Usage => {
  const request = parseBounds(bounds, body);
  const made = isFields(reply) ? listOf(reply['data']).length : 0;
  const count = made === 0 ? picturesAsked(body) : made;
  return {
    ...noUsage,
    inputTokens: Math.ceil(estimateTokens(request.prompt ?? '') / 2),
    imageInputTokens: picturesSent(body) * INPUT_IMAGE_TOKENS,
    imageOutputTokens: count * (imageTokens(askedPicture(body)) + previewTokens(body)),
    estimated: true,
  };
};

/** In a series, some upstreams put an error in place of a picture. */
const isPicture = (made: unknown): boolean => (fieldsOf(made)['error'] ?? null) === null;

/** Some upstreams name the list of pictures differently, so only a reply that certainly has none counts as empty. */
const holdsPictures = (body: Fields): boolean => {
  const { data } = body;
  if (Array.isArray(data)) return data.length > 0;
  return isFields(data) || otherFields(body, BESIDE_PICTURES) !== undefined;
};

const BESIDE_PICTURES: ReadonlySet<string> = new Set(['created', 'usage', 'data']);

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (holdsError(body)) return { error: readErrorInside(body) };
  const usage = readPictureUsage(body['usage']);
  const made = listOf(body['data']);
  const count = made.filter(isPicture).length;
  return {
    ...(usage !== undefined && { usage }),
    ...(count > 0 && { pictures: { count, usage: undefined } }),
    ...(holdsPictures(body) && { content: true }),
  };
};

/** `POST /v1/images/generations`, `edits` and `variations`. Bytes are only repeated. */
export const openaiImages: Wire & { readonly name: 'openai-images' } = {
  name: 'openai-images',
  facts,
  tap: tapMedia((body) => readPictureUsage(body['usage'])),
  tapWhole,
  usageWithoutReport,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
