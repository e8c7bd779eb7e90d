import { formatInWords } from '#core/chat/format-in-words.ts';
import type { ChatRequest, ContentPart, Message } from '#core/chat/request.ts';
import { requireOneAnswer, requireTextAnswer } from '#core/chat/require-supported.ts';
import { AppError } from '#core/error.ts';

/** One message of a conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A conversation of text alone. */
export interface TextOnlyChat {
  /** All of the caller's instructions. */
  readonly system: string;
  readonly turns: readonly Turn[];
}

/**
 * A chat for an upstream that takes only text. Throws `invalid_request` for tools, images and files, which would be lost, for
 * several answers and for drawn ones. Earlier reasoning is dropped; the format of the answer is described in the prompt.
 */
export const textOnlyChat = (request: ChatRequest): TextOnlyChat => {
  if ((request.tools ?? []).length > 0) throw refused('tools');
  requireOneAnswer(request);
  requireTextAnswer(request);
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const message of request.messages) {
    const text = textOf(message);
    if (message.role === 'system' || message.role === 'developer') system.push(text);
    else turns.push({ role: message.role === 'assistant' ? 'assistant' : 'user', text });
  }
  const format = formatInWords(request.responseFormat);
  if (format !== undefined) system.push(format);
  return { system: system.join('\n\n'), turns };
};

/** The whole conversation as one text, for an upstream that takes a single question without earlier turns. */
export const asOneText = ({ system, turns }: TextOnlyChat): string => {
  const [only] = turns;
  if (turns.length === 1 && system === '' && only !== undefined) return only.text;
  const labelled = turns.map(({ role, text }) => `${role === 'user' ? 'USER' : 'ASSISTANT'}:\n${text}`);
  return [...(system === '' ? [] : [`SYSTEM:\n${system}`]), ...labelled].join('\n\n');
};

/** Several texts of a user stand on lines of their own; those of an answer are joined without a break. */
const textOf = ({ role, content }: Message): string =>
  content.map(partText).join(role === 'assistant' ? '' : '\n');

const partText = (part: ContentPart): string => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'reasoning':
      return '';
    case 'tool-call':
    case 'tool-result':
      throw refused('tools');
    case 'image':
    case 'audio':
    case 'file':
      throw refused('messages', part.type);
  }
};

const refused = (param: string, kind = 'tool'): AppError =>
  new AppError('invalid_request', `${param}: this upstream takes text only, no ${kind}`, { param });
