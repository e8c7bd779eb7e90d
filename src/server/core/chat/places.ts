import type { ChatRequest, Message, Tool } from './request.ts';

/**
 * The request with the position of each message and tool stored in it, so that errors name the right one after others
 * are removed or inserted.
 */
export const withPlaces = (request: ChatRequest): ChatRequest => ({
  ...request,
  messages: request.messages.map((message, place) => ({ ...message, place })),
  ...(request.tools !== undefined && { tools: request.tools.map((tool, place) => ({ ...tool, place })) }),
});

/** How an error names a message; `index` is its index among the messages written. */
export const messageField = ({ place }: Pick<Message, 'place'>, index: number): string =>
  `messages.${place ?? index}`;

/** How an error names a tool; `index` is its index among the tools written. */
export const toolField = ({ place }: Pick<Tool, 'place'>, index: number): string => `tools.${place ?? index}`;

/** Parses such a name; undefined for other texts. */
export const placeNamed = (
  field: string | undefined,
): { readonly list: 'messages' | 'tools'; readonly place: number } | undefined => {
  const [, list, place] = /^(messages|tools)\.(\d+)/.exec(field ?? '') ?? [];
  return list === 'messages' || list === 'tools' ? { list, place: Number(place) } : undefined;
};
