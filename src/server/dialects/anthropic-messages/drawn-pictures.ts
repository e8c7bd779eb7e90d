import type { ContentPart, Message } from '#core/chat/request.ts';

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
