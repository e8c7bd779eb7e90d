import { fieldsOf, textOf } from '#core/json/fields.ts';

/** Each kind has its own paths and format (cloud.google.com/vertex-ai/generative-ai/docs, partner models; Model as a Service). */
export type VertexKind = 'google' | 'anthropic' | 'mistralai' | 'open';

/** Makers of open models; requests name the maker before the model. */
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

/** Whose format a model speaks here, by its name. */
export const kindOf = (model: string): VertexKind => {
  if (model.startsWith('claude-')) return 'anthropic';
  if (MISTRAL.test(model)) return 'mistralai';
  return model.includes('/') || makerOf(model) !== undefined ? 'open' : 'google';
};

const makerOf = (model: string): string | undefined => MAKERS.find(([shape]) => shape.test(model))?.[1];

/** `maker/model`; the maker is added where the name lacks it. */
export const openName = (model: string): string =>
  model.includes('/') ? model : `${makerOf(model) ?? ''}/${model}`;

/** In a path, an `@` separates the version; a body has no version. */
export const mistralName = (model: string): { readonly inPath: string; readonly inBody: string } => {
  const inPath = model.replace(/^mistralai\//, '');
  return { inPath, inBody: inPath.replace(/@.*/, '') };
};

/** An `@` separates the version of a Claude model. */
export const claudeId = (model: string): string =>
  model === 'claude-3-5-sonnet-20241022'
    ? 'claude-3-5-sonnet-v2@20241022'
    : model.replace(/-(\d{8})$/, '@$1').replace(/-latest$/, '');

/** The name of a listed model that offers chats or text embeddings; none for other models. */
export const listedName = (model: unknown): string[] => {
  const [, maker = '', name = ''] =
    /^publishers\/([\w.-]+)\/models\/([^/]+)$/.exec(textOf(fieldsOf(model)['name']) ?? '') ?? [];
  if (maker === 'anthropic') return [name];
  if (maker === 'mistralai') return name.includes('ocr') ? [] : [name];
  if (maker === 'google')
    return /^(?:gemini|text-(?:multilingual-)?embedding|gemma)/.test(name) ? [name] : [];
  // Other open models must be deployed first, unless they are offered as a service.
  return name.endsWith('-maas') ? [`${maker}/${name}`] : [];
};
