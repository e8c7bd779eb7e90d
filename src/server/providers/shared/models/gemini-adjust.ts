import { isDeepStrictEqual } from 'node:util';
import { optionTable, type OptionValues } from '#contract/options.ts';
import { harmCategories } from '#contract/options/models.ts';
import { camelFields, camelList } from '../../../dialects/gemini/fields.ts';
import { toOpenApi } from '../../../dialects/gemini/request/schema.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { readSuffix, suffixConfig } from './gemini-suffix.ts';

/** Replaces the signature of a turn that another upstream made (ai.google.dev, thought signatures, FAQ). */
const NO_SIGNATURE = 'skip_thought_signature_validator';

interface Call {
  readonly model: string;
  readonly isRepeated?: boolean;
  readonly options?: OptionValues;
}

/** Adjusts a request to its model; returns the same object where nothing changes. */
export const adjustForModel = (body: Fields, call: Call): Fields => {
  const suffixed = readSuffix(call.model, call.options);
  const model = suffixed?.model ?? call.model;
  let sent = withoutRoute(body);
  if (suffixed !== undefined) {
    const config = camelFields(sent['generationConfig']);
    const thinkingConfig = suffixConfig(suffixed, config, call.options);
    sent = { ...sent, generationConfig: { ...config, thinkingConfig } };
  }
  sent = withSafety(sent, call);
  // These models also draw images unless the modalities say otherwise. Callers of this format choose them themselves.
  if (call.isRepeated !== true) sent = withModalities(sent, model, call.options);
  if (/gemini-(?:1|2\.0)|gemma|learnlm/.test(model)) sent = withOlderSchemas(sent);
  return /gemini-[3-9]/.test(model) ? withSignatures(sent) : withMediaBeside(sent);
};

/** Drops `model` and `stream`: both are in the path. */
const withoutRoute = (body: Fields): Fields => {
  if (!('model' in body) && !('stream' in body)) return body;
  const { model: _, stream: __, ...rest } = body;
  return rest;
};

/**
 * Adds the operator's thresholds where the caller sent none. Our defaults are only for callers of other formats, which
 * have no such field; a caller of this format who sends none gets Google's defaults.
 */
const withSafety = (body: Fields, { options, isRepeated }: Call): Fields => {
  if (body['safetySettings'] !== undefined || body['safety_settings'] !== undefined) return body;
  const { initial } = optionTable['gemini.safety_settings'];
  const settings = options?.['gemini.safety_settings'] ?? initial;
  if (isRepeated === true && isDeepStrictEqual(settings, initial)) return body;
  const safetySettings = harmCategories.flatMap((category) => {
    const threshold = settings[category] ?? settings['default'];
    return threshold === undefined || threshold === '' ? [] : [{ category, threshold }];
  });
  return safetySettings.length === 0 ? body : { ...body, safetySettings };
};

/** Asks models that draw for text and images, unless the caller set the modalities. */
const withModalities = (body: Fields, model: string, options: OptionValues | undefined): Fields => {
  const drawing =
    options?.['gemini.supported_imagine_models'] ?? optionTable['gemini.supported_imagine_models'].initial;
  const config = camelFields(body['generationConfig']);
  if (!drawing.includes(model) || config['responseModalities'] !== undefined) return body;
  return { ...body, generationConfig: { ...config, responseModalities: ['TEXT', 'IMAGE'] } };
};

/** Models before Gemini 2.5 take no JSON Schema, only Gemini's own `Schema`. */
const withOlderSchemas = (body: Fields): Fields => {
  const { responseJsonSchema, ...config } = camelFields(body['generationConfig']);
  const given = listOf(body['tools']);
  const tools = given.map(withOlderDeclarations);
  const isOlder = responseJsonSchema === undefined && tools.every((tool, at) => tool === given[at]);
  if (isOlder) return body;
  return {
    ...body,
    ...(tools.length > 0 && { tools }),
    ...(responseJsonSchema !== undefined && {
      generationConfig: { ...config, responseSchema: toOpenApi(responseJsonSchema) },
    }),
  };
};

const withOlderDeclarations = (tool: unknown): unknown => {
  const given = fieldsOf(tool)['functionDeclarations'];
  const declarations = camelList(given);
  if (declarations.every(({ parametersJsonSchema: schema }) => schema === undefined)) return tool;
  return { ...fieldsOf(tool), functionDeclarations: declarations.map(withOlderParameters) };
};

const withOlderParameters = (declaration: Fields): Fields => {
  const { parametersJsonSchema: schema, ...rest } = declaration;
  if (schema === undefined) return declaration;
  // Gemini refuses a schema of an object without properties, but accepts a function without a schema.
  const isEmpty = Object.keys(fieldsOf(fieldsOf(schema)['properties'])).length === 0;
  return isEmpty ? rest : { ...rest, parameters: toOpenApi(schema) };
};

/** Since Gemini 3 a turn with tool calls must be signed; turns that other upstreams made get a placeholder. */
const withSignatures = (body: Fields): Fields => {
  let changed = false;
  const contents = listOf(body['contents']).map((content) => {
    const parts = listOf(fieldsOf(content)['parts']);
    const first = parts.findIndex(isCall);
    // Gemini checks only the first tool call of a turn.
    const isSigned = camelFields(parts[first])['thoughtSignature'] !== undefined;
    if (first === -1 || isSigned) return content;
    changed = true;
    return {
      ...fieldsOf(content),
      parts: parts.with(first, { ...fieldsOf(parts[first]), thoughtSignature: NO_SIGNATURE }),
    };
  });
  return changed ? { ...body, contents } : body;
};

const isCall = (part: unknown): boolean => camelFields(part)['functionCall'] !== undefined;

/** Models before Gemini 3 take no media inside a tool result: they are moved next to it, in the same turn. */
const withMediaBeside = (body: Fields): Fields => {
  let changed = false;
  const contents = listOf(body['contents']).map((content) => {
    const beside: unknown[] = [];
    const parts = listOf(fieldsOf(content)['parts']).map((part) => {
      const { functionResponse, ...others } = camelFields(part);
      const { parts: media, ...result } = camelFields(functionResponse);
      if (media === undefined) return part;
      changed = true;
      beside.push(...listOf(media));
      return { ...others, functionResponse: result };
    });
    return beside.length === 0 ? content : { ...fieldsOf(content), parts: [...parts, ...beside] };
  });
  return changed ? { ...body, contents } : body;
};
