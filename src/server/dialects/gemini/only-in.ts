import type { OnlyIn } from '#core/chat/request.ts';
import { listOf, textOf, type Fields, wordOf, isGiven } from '#core/json/fields.ts';
import { camelFields, camelList } from './fields.ts';
import { isUnknownWord } from '#core/json/unknown-word.ts';
import { isLevel } from './request/thinking.ts';
import { wantsSpeech, wantsVoices } from './speech.ts';

/**
 * Fields of a Gemini request that not every upstream supports; undefined if there are none. Upstream tools are checked
 * separately.
 */
export const readOnlyIn = (body: Fields, config: Fields): readonly OnlyIn[] | undefined => {
  const own = onlyHere(body, config);
  const asked = [
    ...(own === undefined ? [] : [own]),
    ...(wantsSpeech(config) ? [speech] : []),
    ...(config['responseLogprobs'] === true ? [logprobs] : []),
  ];
  return asked.length === 0 ? undefined : asked;
};

const speech: OnlyIn = {
  dialects: ['gemini', 'openai-chat'],
  param: 'responseModalities',
  message: "'responseModalities': this model does not speak aloud",
};

const logprobs: OnlyIn = {
  dialects: ['gemini', 'openai-chat', 'openai-responses'],
  param: 'responseLogprobs',
  message: "'responseLogprobs': this model does not tell how likely its words were",
};

const onlyHere = (body: Fields, config: Fields): OnlyIn | undefined => {
  if (isGiven(body['cachedContent']))
    return only('cachedContent', 'it keeps what the conversation begins with');
  if (isGiven(body['modelArmorConfig'])) return only('modelArmorConfig', 'it checks what the model answers');
  const odd = listOf(config['responseModalities']).find(
    (word) => !MODALITIES.has(wordOf(word).toUpperCase()),
  );
  if (odd !== undefined) return only('responseModalities', `others know no '${wordOf(odd)}'`);
  const type = config['responseMimeType'];
  if (isGiven(type) && !KNOWN_TYPES.has(type))
    return only('responseMimeType', `others know no answers of '${wordOf(type)}'`);
  if (isUnknownWord(camelFields(config['thinkingConfig'])['thinkingLevel'], isLevel))
    return only('thinkingLevel', 'others do not know how much to think by this word');
  const calling = camelFields(camelFields(body['toolConfig'])['functionCallingConfig']);
  if (isUnknownWord(calling['mode'], (mode) => MODES.has(wordOf(mode).toUpperCase())))
    return only('mode', 'others do not know when to call functions by this word');
  if (isGiven(config['translationConfig'])) return only('translationConfig', 'others translate when told so');
  if (isGiven(config['responseFormat'])) return only('responseFormat', 'others are asked in another way');
  if (hasTimeRange(body)) return only('timeRangeFilter', 'others search without regard to time');
  if (hasKeptFile(body))
    return only('fileUri', 'the file is kept at Google; send its bytes, or an open address');
  const cut = SELECTIONS.find((name) => partsOf(body).some((part) => isGiven(part[name])));
  if (cut !== undefined) return only(cut, 'others read what is sent whole');
  for (const param of ['continuationToken', 'generationOutputConfig'] as const)
    if (isGiven(body[param]) || isGiven(config[param])) return only(param, 'it keeps answers');
  return wantsVoices(config) ? only('speechConfig', 'others speak with one voice') : undefined;
};

const MODALITIES: ReadonlySet<string> = new Set(['MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO']);
const MODES: ReadonlySet<string> = new Set(['AUTO', 'ANY', 'NONE', 'VALIDATED']);
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['text/plain', 'application/json']);

/** Whether a search is limited to a time range. */
const hasTimeRange = (body: Fields): boolean =>
  camelList(body['tools']).some((tool) => isGiven(camelFields(tool['googleSearch'])['timeRangeFilter']));

const KEPT_AT_GOOGLE = /^(?:gs:\/\/|(?:https:\/\/generativelanguage\.googleapis\.com\/[\w.]+\/)?files\/)/;

/** Which pages, seconds or cells of a file the model is to read. */
const SELECTIONS = ['documentMetadata', 'audioMetadata', 'spreadsheetMetadata'] as const;

const partsOf = (body: Fields): readonly Fields[] =>
  camelList(body['contents']).flatMap((content) => camelList(content['parts']));

const hasKeptFile = (body: Fields): boolean =>
  partsOf(body).some((part) => KEPT_AT_GOOGLE.test(textOf(camelFields(part['fileData'])['fileUri']) ?? ''));

const only = (param: string, why: string): OnlyIn => ({
  dialects: ['gemini'],
  param,
  message: `'${param}' needs an upstream of the Gemini format: ${why}`,
});
