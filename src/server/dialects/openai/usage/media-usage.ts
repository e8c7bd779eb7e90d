import type { Usage } from '#core/chat/usage.ts';
import type { Tapped } from '../../dialect.ts';
import type { Frame } from '../../frame.ts';
import { holdsError, readErrorInside } from '../error.ts';
import { type Fields, fieldsOf, isFields, parsedFields } from '#core/json/fields.ts';
import { readUsage } from './usage.ts';

/** Usage of pictures and audio: like that of text, but some upstreams name the input details in the singular. */
export const readMediaUsage = (value: unknown): Usage | undefined => {
  if (!isFields(value)) return undefined;
  const { input_token_details: details, ...usage } = value;
  return readUsage(details === undefined ? usage : { ...usage, input_tokens_details: details });
};

/** Usage of generated pictures: output counts as pictures unless the upstream reports its text. */
export const readPictureUsage = (value: unknown): Usage | undefined => {
  const usage = readMediaUsage(value);
  if (usage === undefined || isFields(fieldsOf(value)['output_tokens_details'])) return usage;
  return { ...usage, outputTokens: 0, imageOutputTokens: usage.imageOutputTokens + usage.outputTokens };
};

/** Only the last event of a picture, transcript or speech stream contains usage. */
const LAST = /(?:\.completed|\.done)$/;

/** The tap of streams with usage in the last event; `read` parses it. */
export const tapMedia =
  (read: (body: Fields) => Usage | undefined) =>
  (frame: Frame): Tapped | undefined => {
    const { data, event } = frame;
    if (data.length === 0) return undefined;
    const start = data.toString('latin1', 0, 128);
    if (start.trim() === '[DONE]') return { done: true };
    const type = event === '' ? (/^\{\s*"type"\s*:\s*"([^"]{1,64})"/.exec(start)?.[1] ?? '') : event;
    // Base64 of a picture or sound: content, but not parsed.
    if (type !== '' && type !== 'error' && !LAST.test(type)) return { content: true };
    const body = parsedFields(data);
    if (body === undefined)
      return event === 'error' ? { error: readErrorInside(data.toString()) } : undefined;
    if (type === 'error' || holdsError(body)) return { error: readErrorInside(body) };
    const usage = read(body);
    const isLast = LAST.test(typeof body['type'] === 'string' ? body['type'] : event);
    return {
      content: true,
      ...(usage !== undefined && { usage }),
      ...(isLast && { finish: 'stop' as const }),
    };
  };
