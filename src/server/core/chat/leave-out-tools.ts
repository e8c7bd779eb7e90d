import { onlyFormatOf } from './only-format.ts';
import type { ChatRequest, OnlyIn, Tool, ToolChoice } from './request.ts';
import { unsupportedTool } from './unsupported-tool.ts';
import { wordOf } from '../json/fields.ts';

/**
 * Tools run by the upstream that an answer can do without, though it may be poorer: web search, tool search, drawing.
 * Other tools (files, MCP servers, code execution) are the point of the question, so they are never left out.
 */
const SPARE = /^(?:web_search|image_generation$|tool_search)/;

/** Whether an answer can do without a tool of this type. */
export const isSpareTool = (type: string): boolean => SPARE.test(type);

export interface LeftOutTools {
  readonly request: ChatRequest;
  /** Names or types of the tools left out. */
  readonly names: readonly string[];
}

/**
 * The request without the spare tools that upstreams of `target` do not support. Returns it unchanged if there are
 * none, or if the tool choice requires one of them.
 */
export const withoutOptionalTools = (request: ChatRequest, target: string): LeftOutTools => {
  const { tools = [], toolChoice, onlyIn = [] } = request;
  const spare = tools.filter(
    (tool, index) => isSpare(tool) && unsupportedTool(tool, index, target) !== undefined,
  );
  const hosted = onlyIn.filter(
    ({ spareTool, dialects }) => spareTool !== undefined && !isIn(dialects, target),
  );
  const names = [...spare.map(({ name }) => name), ...hosted.flatMap(({ spareTool }) => spareTool ?? [])];
  const left = tools.filter((tool) => !spare.includes(tool));
  if (names.length === 0 || isForced(toolChoice, left)) return { request, names: [] };
  const { onlyIn: _, ...rest } = request;
  const others = onlyIn.filter((one) => !hosted.includes(one));
  return { request: { ...rest, tools: left, ...(others.length > 0 && { onlyIn: others }) }, names };
};

const isIn = (dialects: OnlyIn['dialects'], target: string): boolean =>
  dialects.some((dialect) => dialect === target);

const isSpare = ({ name, webSearch, extras }: Tool): boolean => {
  const holder = onlyFormatOf(extras);
  const type = holder === undefined ? name : wordOf(extras?.[holder]?.['type']);
  return webSearch !== undefined || isSpareTool(type);
};

/** Whether the tool choice requires a tool that would be left out: by name, or because no other tool remains. */
const isForced = (choice: ToolChoice | undefined, left: readonly Tool[]): boolean => {
  if (choice === undefined || choice === 'auto' || choice === 'none') return false;
  if (choice === 'required') return left.length === 0;
  if ('name' in choice) return !left.some(({ name }) => name === choice.name);
  return choice.mode === 'required' && !left.some(({ name }) => choice.allowed.includes(name));
};
