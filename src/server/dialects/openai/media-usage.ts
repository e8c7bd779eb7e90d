import type { Usage } from '#core/chat/usage.ts';
import type { Tapped } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { holdsError, readErrorInside } from './error.ts';
import { type Fields, fieldsOf, isFields, parsedFields } from './fields.ts';
import { readUsage } from './usage.ts';

/** Usage of pictures and sound: as of texts, but that some name the details of what went in in the singular. */
export const readMediaUsage = (value: unknown): Usage | undefined => {
  if (!isFields(value)) return undefined;
  const { input_token_details: details, ...usage } = value;
  return readUsage(details === undefined ? usage : { ...usage, input_tokens_details: details });
};

/** Usage of pictures that are drawn: what comes out is a picture unless the upstream says how much of it is text. */
export const readDrawnUsage = (value: unknown): Usage | undefined => {
  const usage = readMediaUsage(value);
  if (usage === undefined || isFields(fieldsOf(value)['output_tokens_details'])) return usage;
  return { ...usage, outputTokens: 0, imageOutputTokens: usage.imageOutputTokens + usage.outputTokens };
};

/** The end of a stream of one picture, one transcript or one speech is the only event that says what was used. */
const LAST = /(?:\.completed|\.done)$/;

/** The tap of streams whose last event tells the usage: `read` makes sense of it. */
export const tapMedia =
  (read: (body: Fields) => Usage | undefined) =>
  (frame: Frame): Tapped | undefined => {
    const { data, event } = frame;
    if (data.length === 0) return undefined;
    const start = data.toString('latin1', 0, 128);
    if (start.trim() === '[DONE]') return { done: true };
    const type = event === '' ? (/^\{\s*"type"\s*:\s*"([^"]{1,64})"/.exec(start)?.[1] ?? '') : event;
    // A picture or sound in base64: seen, and not worth reading.
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
