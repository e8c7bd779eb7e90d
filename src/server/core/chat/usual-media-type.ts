/**
 * The registered media type of a picture, where callers use a common but unregistered name. OpenAI takes either; Anthropic,
 * Google and AWS refuse the request.
 */
export const usualMediaType = (mediaType: string): string =>
  /^image\/p?jpg$/i.test(mediaType) ? 'image/jpeg' : mediaType;
