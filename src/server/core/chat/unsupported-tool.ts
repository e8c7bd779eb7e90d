import { AppError } from '../error.ts';
import { onlyFormatOf } from './only-format.ts';
import { toolField } from './places.ts';
import type { DialectName, Tool } from './request.ts';

/** Formats whose upstreams support web search, and report an error if they do not. */
const SEARCHING: ReadonlySet<string> = new Set<DialectName>([
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);

/**
 * The error if an upstream of `target` cannot be given this tool, the `index`th of its request; undefined if it can. A
 * tool of one format that has parameters also works as a function.
 */
export const unsupportedTool = (tool: Tool, index: number, target: string): AppError | undefined => {
  const holder = onlyFormatOf(tool.extras);
  const param = toolField(tool, index);
  if (tool.name === '')
    return new AppError('invalid_request', `'${param}' is a tool without a name`, { param });
  if (holder === target || (holder === undefined && tool.webSearch === undefined)) return undefined;
  if (tool.parameters !== undefined || (tool.webSearch !== undefined && SEARCHING.has(target)))
    return undefined;
  const why =
    tool.webSearch === undefined
      ? `the tool '${tool.name}' is run by upstreams of the ${String(holder)} format alone, and this one speaks another`
      : 'not every upstream of this format searches the web, and one that does not would not say so';
  return new AppError('invalid_request', `'${param}': ${why}`, { param, reason: 'unsupported_tool' });
};
