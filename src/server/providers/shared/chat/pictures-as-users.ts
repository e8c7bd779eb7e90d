import type { ContentPart, Message } from '#core/chat/request.ts';

/**
 * Moves pictures that models drew to what the user says next, after the results of the calls beside them. OpenAI's chat has
 * no pictures in an assistant's message: its models would never see them.
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
