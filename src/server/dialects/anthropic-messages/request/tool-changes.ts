import { changesTools } from '#core/chat/later-tools.ts';
import type { Message, Tool } from '#core/chat/request.ts';
import { fieldsOf, textOf, type Fields } from '#core/json/fields.ts';

/**
 * The tools offered at the end of a conversation whose system messages add or remove some; undefined if none do. Source:
 * `BetaRequestToolAdditionBlock` and `BetaRequestToolRemovalBlock` of the format's own client library, November 2026.
 */
export const readLaterTools = (
  messages: readonly Message[],
  declared: readonly Tool[],
  readTool: (tool: Fields) => Tool,
): Tool[] | undefined => {
  const changes = messages.flatMap(({ content }) => content.filter(changesTools));
  if (changes.length === 0) return undefined;
  const known = new Map(declared.map((tool) => [tool.name, tool]));
  const offered = new Map(known);
  for (const { extras } of changes) {
    const { type, tool } = fieldsOf(extras?.['anthropic-messages']);
    const { definition, name } = fieldsOf(tool);
    if (type === 'tool_removal') {
      offered.delete(textOf(name) ?? '');
      continue;
    }
    const added = definition === undefined ? known.get(textOf(name) ?? '') : readTool(fieldsOf(definition));
    if (added === undefined) continue;
    known.set(added.name, added);
    offered.set(added.name, added);
  }
  return [...offered.values()];
};
