type Fields = Readonly<Record<string, unknown>>;

/** Asks for a last frame with usage; only streams have to be asked. */
export const askForUsage = (body: Fields): Fields => {
  if (body['stream'] !== true) return body;
  const options = body['stream_options'];
  const given = typeof options === 'object' && options !== null ? (options as Fields) : {};
  return given['include_usage'] === true ? body : { ...body, stream_options: { ...given, include_usage: true } };
};
