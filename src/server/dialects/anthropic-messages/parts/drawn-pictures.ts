import type { ContentPart, Media, Message } from '#core/chat/request.ts';

/** A generated picture in the text of an answer, its bytes in a data URL. */
const DRAWN = /!\[image\]\(data:(image\/[\w.+-]{1,64});base64,([\w+/=-]+)\)/g;

/** A picture drawn by a model of another format, as text: answers of this format cannot contain pictures. */
export const drawnAsText = (media: Media): string => {
  if (media.from === 'file-id') return `![image](${media.fileId})`;
  return `![image](${media.from === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`})`;
};

/** An assistant's parts, with the pictures in its text turned back into pictures. */
export const readGeneratedPictures = (content: readonly ContentPart[]): ContentPart[] =>
  content.flatMap((part) =>
    part.type === 'text' && part.text.includes('![image](data:image/') ? pieces(part) : [part],
  );

const pieces = (part: Extract<ContentPart, { type: 'text' }>): ContentPart[] => {
  const parts: ContentPart[] = [];
  let at = 0;
  for (const found of part.text.matchAll(DRAWN)) {
    const [markup, mediaType = '', data = ''] = found;
    if (found.index > at) parts.push({ type: 'text', text: part.text.slice(at, found.index) });
    parts.push({ type: 'image', media: { from: 'base64', data, mediaType } });
    at = found.index + markup.length;
  }
  // Fields beside a text stay with its last piece.
  if (at < part.text.length) parts.push({ ...part, text: part.text.slice(at) });
  return parts;
};

/** Moves pictures drawn by other models to the next user message, because assistant messages cannot contain them. */
export const withGeneratedPictures = (messages: readonly Message[]): readonly Message[] => {
  if (!messages.some(draws)) return messages;
  const written: Message[] = [];
  let drawn: ContentPart[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      written.push(message);
      continue;
    }
    if (message.role === 'assistant') {
      if (drawn.length > 0) written.push({ role: 'user', content: drawn });
      drawn = message.content.filter(isPicture);
      written.push({ ...message, content: message.content.filter((part) => !isPicture(part)) });
      continue;
    }
    // Results of calls must come first in their message.
    const content = message.role === 'tool' ? [...message.content, ...drawn] : [...drawn, ...message.content];
    written.push({ ...message, content });
    drawn = [];
  }
  return drawn.length > 0 ? [...written, { role: 'user', content: drawn }] : written;
};

const isPicture = ({ type }: ContentPart): boolean => type === 'image';

const draws = ({ role, content }: Message): boolean => role === 'assistant' && content.some(isPicture);
