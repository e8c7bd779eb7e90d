import type { ContentPart, Media, Message } from '#core/chat/request.ts';

/** A picture as an answer of this format tells it, its bytes in the address. */
const DRAWN = /!\[image\]\(data:(image\/[\w.+-]{1,64});base64,([\w+/=-]+)\)/g;

/** A picture that a model of another format drew, in words: an answer has no other place for it here. */
export const drawnAsText = (media: Media): string => {
  if (media.from === 'file-id') return `![image](${media.fileId})`;
  return `![image](${media.from === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`})`;
};

/** What an assistant said, the pictures whose bytes were told in words as pictures again. */
export const readDrawnPictures = (content: readonly ContentPart[]): ContentPart[] =>
  content.flatMap((part) =>
    part.type === 'text' && part.text.includes('![image](data:image/') ? pieces(part) : [part],
  );

const pieces = (part: Extract<ContentPart, { type: 'text' }>): ContentPart[] => {
  const parts: ContentPart[] = [];
  let at = 0;
  for (const found of part.text.matchAll(DRAWN)) {
    const [told, mediaType = '', data = ''] = found;
    if (found.index > at) parts.push({ type: 'text', text: part.text.slice(at, found.index) });
    parts.push({ type: 'image', media: { from: 'base64', data, mediaType } });
    at = found.index + told.length;
  }
  // What stands beside a text stays with its end.
  if (at < part.text.length) parts.push({ ...part, text: part.text.slice(at) });
  return parts;
};

/** Pictures a model of another format drew: an assistant cannot show one here, so the user does, in the next message. */
export const withDrawnPictures = (messages: readonly Message[]): readonly Message[] => {
  if (!messages.some(draws)) return messages;
  const written: Message[] = [];
  let drawn: ContentPart[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      if (drawn.length > 0) written.push({ role: 'user', content: drawn });
      drawn = message.content.filter(isPicture);
      written.push({ ...message, content: message.content.filter((part) => !isPicture(part)) });
      continue;
    }
    // Results of calls stand first in their message.
    const content = message.role === 'tool' ? [...message.content, ...drawn] : [...drawn, ...message.content];
    written.push({ ...message, content });
    drawn = [];
  }
  return drawn.length > 0 ? [...written, { role: 'user', content: drawn }] : written;
};

const isPicture = ({ type }: ContentPart): boolean => type === 'image';

const draws = ({ role, content }: Message): boolean => role === 'assistant' && content.some(isPicture);
