import type { Media } from '#core/chat/request.ts';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** A URL, or the bytes inside a `data:` URL. */
export const readMedia = (url: string): Media => {
  const match = DATA_URL.exec(url);
  const mediaType = match?.[1];
  if (match === null || mediaType === undefined) return { from: 'url', url };
  return { from: 'base64', data: url.slice(match[0].length), mediaType };
};
