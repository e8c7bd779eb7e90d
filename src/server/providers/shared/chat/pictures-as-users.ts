import type { ContentPart, Message } from '#core/chat/request.ts';

/**
 * Moves pictures drawn by the model into the user's next message, after the results of tool calls. An assistant's
 * message of OpenAI's chat holds no pictures, so the model would never see them.
 */
export const picturesAsUsers = (messages: readonly Message[]): readonly Message[] => {
  if (!messages.some(draws)) return messages;
  const written: Message[] = [];
  let drawn: readonly ContentPart[] = [];
  for (const message of messages) {
    if (drawn.length > 0 && message.role === 'user') {
      written.push({ ...message, content: [...drawn, ...message.content] });
      drawn = [];
      continue;
    }
    if (drawn.length > 0 && message.role !== 'tool') {
      written.push({ role: 'user', content: drawn });
      drawn = [];
    }
    if (!draws(message)) {
      written.push(message);
      continue;
    }
    drawn = message.content.filter(isPicture);
    const content = message.content.filter((part) => !isPicture(part));
    if (content.length > 0) written.push({ ...message, content });
  }
  return drawn.length > 0 ? [...written, { role: 'user', content: drawn }] : written;
};

const isPicture = ({ type }: ContentPart): boolean => type === 'image';

const draws = ({ role, content }: Message): boolean => role === 'assistant' && content.some(isPicture);
