import { fieldsOf, textOf } from '../../dialects/openai/fields.ts';

/** Whose models are called how (cloud.google.com/vertex-ai/generative-ai/docs, partner models; Model as a Service). */
export type VertexKind = 'google' | 'anthropic' | 'mistralai' | 'open';

/** Makers of open models, who stand before their names in requests. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^llama/, 'meta'],
  [/^deepseek/, 'deepseek-ai'],
  [/^qwen/, 'qwen'],
  [/^gpt-oss/, 'openai'],
  [/^kimi/, 'moonshotai'],
  [/^minimax/, 'minimaxai'],
  [/^glm/, 'zai-org'],
  [/^grok/, 'xai'],
];
const MISTRAL = /^(?:mistralai\/)?(?:mistral|ministral|magistral|codestral|pixtral)/;

export const kindOf = (model: string): VertexKind => {
  if (model.startsWith('claude-')) return 'anthropic';
  if (MISTRAL.test(model)) return 'mistralai';
  return model.includes('/') || makerOf(model) !== undefined ? 'open' : 'google';
};

const makerOf = (model: string): string | undefined => MAKERS.find(([shape]) => shape.test(model))?.[1];

/** `maker/model`, whether or not the maker is named. */
export const openName = (model: string): string =>
  model.includes('/') ? model : `${makerOf(model) ?? ''}/${model}`;

/** In a path, versions stand behind an `@` here; in a body they do not stand at all. */
export const mistralName = (model: string): { readonly inPath: string; readonly inBody: string } => {
  const inPath = model.replace(/^mistralai\//, '');
  return { inPath, inBody: inPath.replace(/@.*$/, '') };
};

/** Versions of Claude stand behind an `@` here. */
export const claudeId = (model: string): string =>
  model === 'claude-3-5-sonnet-20241022'
    ? 'claude-3-5-sonnet-v2@20241022'
    : model.replace(/-(\d{8})$/, '@$1').replace(/-latest$/, '');

/** What a model of the list is called by, where it answers chats or embeds texts; nothing for others. */
export const listedName = (model: unknown): string[] => {
  const [, maker = '', name = ''] =
    /^publishers\/([\w.-]+)\/models\/([^/]+)$/.exec(textOf(fieldsOf(model)['name']) ?? '') ?? [];
  if (maker === 'anthropic') return [name];
  if (maker === 'mistralai') return name.includes('ocr') ? [] : [name];
  if (maker === 'google')
    return /^(?:gemini|text-(?:multilingual-)?embedding|gemma)/.test(name) ? [name] : [];
  // Others are to be deployed by oneself, but for those offered as a service.
  return name.endsWith('-maas') ? [`${maker}/${name}`] : [];
};
