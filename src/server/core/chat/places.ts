import type { ChatRequest, Message, Tool } from './request.ts';

/** The request with the place of each message and tool in it, which stays with them whatever is left out or put before. */
export const withPlaces = (request: ChatRequest): ChatRequest => ({
  ...request,
  messages: request.messages.map((message, place) => ({ ...message, place })),
  ...(request.tools !== undefined && { tools: request.tools.map((tool, place) => ({ ...tool, place })) }),
});

/** How a refusal names a message, the `index`th of those that are written. */
export const messageField = ({ place }: Pick<Message, 'place'>, index: number): string =>
  `messages.${place ?? index}`;

/** How a refusal names a tool, the `index`th of those that are written. */
export const toolField = ({ place }: Pick<Tool, 'place'>, index: number): string => `tools.${place ?? index}`;

/** What such a name says; undefined for others. */
export const placeNamed = (
  field: string | undefined,
): { readonly list: 'messages' | 'tools'; readonly place: number } | undefined => {
  const [, list, place] = /^(messages|tools)\.(\d+)/.exec(field ?? '') ?? [];
  return list === 'messages' || list === 'tools' ? { list, place: Number(place) } : undefined;
};
