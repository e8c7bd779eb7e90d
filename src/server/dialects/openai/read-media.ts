import type { Media } from '#core/chat/request.ts';

/** Its type, its parameters, and whether it is base64. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[\w."-]+)*(;base64)?,/i;

/** A URL, or the bytes inside a `data:` URL, whatever its parameters. */
export const readMedia = (url: string): Media => {
  const [head, type, base64] = DATA_URL.exec(url) ?? [];
  if (head === undefined) return { from: 'url', url };
  const held = url.slice(head.length);
  if (base64 !== undefined)
    return { from: 'base64', data: held, mediaType: type?.toLowerCase() ?? 'application/octet-stream' };
  try {
    const data = Buffer.from(decodeURIComponent(held)).toString('base64');
    return { from: 'base64', data, mediaType: type?.toLowerCase() ?? 'text/plain' };
  } catch {
    return { from: 'url', url };
  }
};
