import { fieldsOf, type Fields } from '#core/json/fields.ts';

/** Asks for a last frame with usage; only needed for streams. */
export const askForUsage = (body: Fields): Fields => {
  if (body['stream'] !== true) return body;
  const given = fieldsOf(body['stream_options']);
  return given['include_usage'] === true
    ? body
    : { ...body, stream_options: { ...given, include_usage: true } };
};
