import { fieldsOf, wordOf } from '../json/fields.ts';
import type { ChatRequest, ContentPart } from './request.ts';

/** Whether an instruction adds or removes a tool that the request itself defines. */
export const changesTools = ({ extras }: ContentPart): boolean => {
  const held = extras?.['anthropic-messages'];
  const { type } = fieldsOf(held?.['tool']);
  return (
    /^tool_(?:addition|removal)$/.test(wordOf(held?.['type'])) &&
    (type === 'tool_reference' || type === 'tool_definition')
  );
};

/** The request with the tools offered at its end, for formats whose conversations cannot add or remove any. */
export const withLaterTools = ({ laterTools, ...request }: ChatRequest): ChatRequest =>
  laterTools === undefined
    ? request
    : {
        ...request,
        tools: laterTools,
        messages: request.messages.map((message) => ({
          ...message,
          content: message.content.filter((part) => !changesTools(part)),
        })),
      };
