import { heldWholeBy } from './held-whole.ts';
import type { ChatRequest, OnlyIn, Tool, ToolChoice } from './request.ts';
import { unsayableTool } from './unsayable-tool.ts';

/**
 * Tools an upstream runs that an answer can do without, though it may be a poorer one: searches of the web and among tools,
 * drawing. What others bring (files, a server's tools, code that is run) is what the question is about.
 */
const SPARE = /^(?:web_search|image_generation$|tool_search)/;

export const isSpareTool = (type: string): boolean => SPARE.test(type);

export interface LeftOutTools {
  readonly request: ChatRequest;
  /** Their names, or kinds. */
  readonly names: readonly string[];
}

/**
 * The request without the tools that upstreams of `target` cannot be given and that need not be: none of them has to be
 * called, and what is left may be chosen freely. The same request where there is none, or one has to be called.
 */
export const withoutSpareTools = (request: ChatRequest, target: string): LeftOutTools => {
  const { tools = [], toolChoice, onlyIn = [] } = request;
  const spare = tools.filter(
    (tool, index) => isSpare(tool) && unsayableTool(tool, index, target) !== undefined,
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
  const holder = heldWholeBy(extras);
  const type = holder === undefined ? name : String(extras?.[holder]?.['type']);
  return webSearch !== undefined || isSpareTool(type);
};

/** Whether one of the tools that would be left out has to be called: by its name, or since no other is there to be. */
const isForced = (choice: ToolChoice | undefined, left: readonly Tool[]): boolean => {
  if (choice === undefined || choice === 'auto' || choice === 'none') return false;
  if (choice === 'required') return left.length === 0;
  if ('name' in choice) return !left.some(({ name }) => name === choice.name);
  return choice.mode === 'required' && !left.some(({ name }) => choice.allowed.includes(name));
};
