import type { ContentPart } from '#core/chat/request.ts';

const SAYS_SO = /^\W*\w*error/i;

/**
 * The content of a tool's result. OpenAI's formats have no field for one that failed, so its text says so, unless it does
 * already: `Error: `, `<tool_use_error>`, `TypeError`.
 */
export const contentOfResult = ({
  content,
  isError,
}: Pick<Extract<ContentPart, { type: 'tool-result' }>, 'content' | 'isError'>): readonly ContentPart[] => {
  if (isError !== true) return content;
  const [first, ...others] = content;
  if (first?.type !== 'text' || first.text.trim() === '')
    return [{ type: 'text', text: 'Error' }, ...content];
  return SAYS_SO.test(first.text) ? content : [{ ...first, text: `Error: ${first.text}` }, ...others];
};
