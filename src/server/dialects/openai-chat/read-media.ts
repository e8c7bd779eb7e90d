import type { Media } from '#core/chat/request.ts';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** An address, or the bytes a `data:` address holds. */
export const readMedia = (url: string): Media => {
  const match = DATA_URL.exec(url);
  const mediaType = match?.[1];
  if (match === null || mediaType === undefined) return { from: 'url', url };
  return { from: 'base64', data: url.slice(match[0].length), mediaType };
};
