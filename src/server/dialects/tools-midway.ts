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
export const toolsMidway = ({ tools, input, messages }: Fields): PlacedTool[] => {
  const found: PlacedTool[] = [];
  addEach(found, tools, 'tools');
  addEach(found, input, 'input');
  if (Array.isArray(messages)) addDefined(found, messages as unknown[]);
  return found;
};

/** The tools that an object has in a list of its own. */
export const toolsInside = (holder: unknown, path: string): PlacedTool[] => {
  const found: PlacedTool[] = [];
  addInside(found, holder, path);
  return found;
};

/** Plain loops, because every call of an agent has its whole conversation looked through. */
const addEach = (found: PlacedTool[], list: unknown, path: string): void => {
  if (!Array.isArray(list)) return;
  for (let at = 0; at < list.length; at += 1) {
    const holder: unknown = list[at];
    if (isFields(holder) && holder['tools'] !== undefined) addInside(found, holder, `${path}.${at}`);
  }
};

/** Namespaces may be nested once; no maker reads deeper ones. */
const DEEPEST = 3;

const addInside = (found: PlacedTool[], holder: unknown, path: string, depth = 0): void => {
  if (!isFields(holder) || depth > DEEPEST) return;
  for (const [at, tool] of listOf(holder['tools']).entries()) {
    if (!isFields(tool)) continue;
    const place = `${path}.tools.${at}`;
    found.push({ path: place, tool });
    addInside(found, tool, place, depth + 1);
  }
};

const addDefined = (found: PlacedTool[], messages: readonly unknown[]): void => {
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    const content = isFields(message) ? message['content'] : undefined;
    if (!Array.isArray(content)) continue;
    for (let of = 0; of < content.length; of += 1) {
      const block: unknown = content[of];
      if (!isFields(block) || block['tool'] === undefined) continue;
      const { definition } = fieldsOf(block['tool']);
      if (isFields(definition))
        found.push({ path: `messages.${at}.content.${of}.tool.definition`, tool: definition });
    }
  }
};

/** Types of tools that the caller runs itself. */
const OWN =
  /^(?:function|custom|namespace|local_shell|apply_patch|computer(?:$|_)|browser_toolset_|bash_|text_editor_|memory_)/;

/** Whether the caller runs a tool itself. A tool without a type is a function. */
export const isCallersTool = (tool: Fields): boolean => {
  const typed = Object.entries(tool).filter(([name]) => name.toLowerCase() === 'type');
  return typed.every(([, type]) => type === null || OWN.test(textOf(type) ?? ''));
};
