import { type Fields, fieldsOf, isFields, listOf, textOf } from '#core/json/fields.ts';

/** A tool and where it stands in the request. */
export interface PlacedTool {
  readonly path: string;
  readonly tool: Fields;
}

/**
 * The tools of a request that are not entries of `tools` itself: those that an item of the conversation adds (Responses:
 * `additional_tools`, `tool_search_output`), those that a message defines (Messages: `tool_addition`), and those inside a
 * namespace. Source: the makers' client libraries, November 2026.
 */
export const toolsMidway = ({ tools, input, messages }: Fields): PlacedTool[] => [
  ...listOf(tools).flatMap((tool, at) => toolsInside(tool, `tools.${at}`)),
  ...listOf(input).flatMap((item, at) => toolsInside(item, `input.${at}`)),
  ...listOf(messages).flatMap((message, at) =>
    listOf(fieldsOf(message)['content']).flatMap((block, of) =>
      definedIn(block, `messages.${at}.content.${of}`),
    ),
  ),
];

/** Namespaces are at most one inside the other; deeper ones no maker reads. */
const DEEPEST = 3;

/** The tools that an object has in a list of its own. */
export const toolsInside = (holder: unknown, path: string, depth = 0): PlacedTool[] => {
  if (!isFields(holder) || !Array.isArray(holder['tools']) || depth > DEEPEST) return [];
  return holder['tools'].filter(isFields).flatMap((tool, at) => {
    const place = `${path}.tools.${at}`;
    return [{ path: place, tool }, ...toolsInside(tool, place, depth + 1)];
  });
};

const definedIn = (block: unknown, path: string): PlacedTool[] => {
  const { definition } = fieldsOf(fieldsOf(block)['tool']);
  return isFields(definition) ? [{ path: `${path}.tool.definition`, tool: definition }] : [];
};

/** Types of tools that the caller runs itself. */
const OWN =
  /^(?:function|custom|namespace|local_shell|apply_patch|computer(?:$|_)|browser_toolset_|bash_|text_editor_|memory_)/;

/** Whether the caller runs a tool itself. A tool without a type is a function. */
export const isCallersTool = (tool: Fields): boolean => {
  const typed = Object.entries(tool).filter(([name]) => name.toLowerCase() === 'type');
  return typed.every(([, type]) => type === null || OWN.test(textOf(type) ?? ''));
};
