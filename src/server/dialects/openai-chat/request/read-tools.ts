import type { Tool, ToolChoice } from '#core/chat/request.ts';
import { isUnknownWord } from '#core/json/unknown-word.ts';
import { isMode, readChoiceWord } from '../../openai/tools/choice-word.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { freeTextTool } from '../../openai/tools/free-text.ts';
import { webSearch } from '../../openai/tools/web-search.ts';
import { ownExtras } from '../parts/cache-mark.ts';

/** The tools of a request, including a web search, which this format puts in other fields. */
export const readTools = (tools: readonly Fields[] | undefined, fields: Fields): Tool[] | undefined => {
  const searches = [...readSearchOptions(fields['web_search_options']), ...readPlugins(fields['plugins'])];
  if (searches.length === 0) return tools?.map(readTool);
  return [...(tools ?? []).map(readTool), ...searches];
};

/** Marks, in a tool's extras, the request field that the tool came from. */
export const STANDS_IN = 'stands_in';

const readTool = (tool: Fields): Tool => {
  const declared = fieldsOf(tool['function']);
  const name = textOf(declared['name']);
  const type = textOf(tool['type']) ?? 'function';
  if (type === 'function' && name !== undefined) return readFunction(name, declared, tool);
  const custom = fieldsOf(tool['custom']);
  const customName = textOf(custom['name']);
  if (type === 'custom' && customName !== undefined) {
    const format = fieldsOf(custom['format']);
    const grammar = { ...format, ...fieldsOf(format['grammar']) };
    return freeTextTool(customName, custom['description'], grammar, { 'openai-chat': tool });
  }
  const isNameless = type === 'function' || type === 'custom';
  return {
    name: isNameless ? '' : type,
    ...readRoutersSearch(type, tool),
    extras: { 'openai-chat': tool },
  };
};

const readFunction = (name: string, declared: Fields, tool: Fields): Tool => {
  const { description, parameters, strict } = declared;
  const others = otherFields(tool, new Set(['type', 'function']));
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters !== undefined && parameters !== null && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    ...ownExtras(others),
  };
};

/** Source: openrouter.ai/docs, server tools. */
const readRoutersSearch = (type: string, tool: Fields): Pick<Tool, 'webSearch'> => {
  if (type !== 'openrouter:web_search') return {};
  const asked = fieldsOf(tool['parameters']);
  return {
    webSearch: webSearch({
      allowed: asked['allowed_domains'],
      blocked: asked['excluded_domains'],
      contextSize: asked['search_context_size'],
      mostSearches: asked['max_uses'],
      place: asked['user_location'],
    }),
  };
};

const readSearchOptions = (value: unknown): Tool[] => {
  if (!isFields(value)) return [];
  const place = fieldsOf(value['user_location'])['approximate'];
  const search = webSearch({ contextSize: value['search_context_size'], place });
  return [searchTool('web_search_options', search)];
};

/** Source: openrouter.ai/docs, the plugin `web`. */
const readPlugins = (value: unknown): Tool[] =>
  listOf(value).some((plugin) => fieldsOf(plugin)['id'] === 'web') ? [searchTool('plugins', {})] : [];

const searchTool = (field: string, search: Tool['webSearch']): Tool => ({
  name: 'web_search',
  webSearch: search ?? {},
  extras: { 'openai-chat': { type: STANDS_IN, field } },
});

/** Reads which tools may or must be called; undefined for a choice that only this format has. */
export const readToolChoice = (value: unknown): ToolChoice | undefined => {
  const word = readChoiceWord(value);
  if (word !== undefined) return word;
  const choice = fieldsOf(value);
  if (choice['type'] === 'allowed_tools')
    return readAllowed({ ...choice, ...fieldsOf(choice['allowed_tools']) });
  const name = nameOf(choice);
  return name === undefined ? undefined : { name };
};

const readAllowed = ({ mode, tools }: Fields): ToolChoice | undefined => {
  const names = listOf(tools).map((tool) => nameOf(fieldsOf(tool)));
  const allowed = names.filter((name) => name !== undefined);
  if (allowed.length !== names.length || isUnknownWord(mode, isMode)) return undefined;
  return { allowed, mode: mode === 'required' ? 'required' : 'auto' };
};

const nameOf = (named: Fields): string | undefined => {
  const { type } = named;
  // Compatible upstreams also accept Anthropic's form and that of Responses.
  if (type === 'tool') return textOf(named['name']) ?? textOf(fieldsOf(named['function'])['name']);
  if (type !== 'function' && type !== 'custom') return undefined;
  return textOf(fieldsOf(named[type])['name']) ?? textOf(named['name']);
};
