import type { OnlyIn } from '#core/chat/request.ts';
import { isFields, isGiven, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { unknownThinking } from './request/reasoning.ts';
import { readToolChoice } from './request/read-tools.ts';
import { wantsSpeech } from './speech.ts';

/** Fields of a chat request that change the answer and that not every upstream supports. */
export const readOnlyIn = (body: Fields): readonly OnlyIn[] | undefined => {
  const own = onlyHere(body);
  const asked = [
    ...(own === undefined ? [] : [own]),
    ...(wantsSpeech(body) ? [onlyWithSpeech] : []),
    ...(wantsLogprobs(body) ? [onlyWithLogprobs] : []),
  ];
  return asked.length === 0 ? undefined : asked;
};

const onlyHere = (body: Fields): OnlyIn | undefined => {
  if (isFields(body['moderation'])) return only('moderation', 'it is work of the upstream itself');
  if (isFields(body['logit_bias']) && Object.keys(body['logit_bias']).length > 0)
    return only('logit_bias', 'its tokens are those of one model');
  const format = isFields(body['response_format']) ? body['response_format']['type'] : undefined;
  if (format !== undefined && !KNOWN_FORMATS.has(format))
    return only('response_format', `others know no ${JSON.stringify(format)}`);
  const { modalities } = body;
  const odd = isGiven(modalities) && !Array.isArray(modalities) ? modalities : oddModality(modalities);
  if (odd !== undefined) return only('modalities', `others know no ${JSON.stringify(odd)}`);
  const thinking = unknownThinking(body);
  if (thinking !== undefined)
    return {
      dialects: ['openai-chat'],
      param: thinking,
      message: `'${thinking}': only an upstream of the OpenAI chat format may know how much to think by this word`,
    };
  return namesHosted(body['tool_choice'])
    ? only('tool_choice', 'it names a tool that only they have')
    : undefined;
};

const KNOWN_FORMATS: ReadonlySet<unknown> = new Set(['text', 'json_object', 'json_schema']);
const MODALITIES: ReadonlySet<unknown> = new Set(['text', 'audio', 'image']);

const oddModality = (modalities: unknown): unknown =>
  listOf(modalities).find((word) => !MODALITIES.has(word));

/** Compatible upstreams also accept the number of alternatives here. */
export const wantsLogprobs = ({ logprobs }: Fields): boolean =>
  logprobs === true || (typeof logprobs === 'number' && logprobs > 0);

/** Whether the choice is neither a function nor one of the caller's free-text tools. */
const namesHosted = (choice: unknown): boolean =>
  (isFields(choice) || textOf(choice) !== undefined) && readToolChoice(choice) === undefined;

const onlyWithSpeech: OnlyIn = {
  dialects: ['openai-chat', 'gemini'],
  param: 'modalities',
  message: "'modalities': this model does not speak aloud",
};

const onlyWithLogprobs: OnlyIn = {
  dialects: ['openai-chat', 'openai-responses', 'gemini'],
  param: 'logprobs',
  message: "'logprobs': this model does not tell how likely its words were",
};

const only = (param: string, why: string): OnlyIn => ({
  dialects: ['openai-chat'],
  param,
  message: `'${param}' only exists for models of the OpenAI chat format: ${why}`,
});
