import { asJson, asList, type Json } from '../wire.ts';
import { firstOf, isEmptyList, isText, objectsIn, type Rule, unknownIn, isOneOf, shown } from './rule.ts';

const REFERENCE = 'ai.google.dev/api/generate-content';

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Google accepts both spellings of a field name. */
const camelled = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), inner]));

const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'tools',
  'toolConfig',
  'safetySettings',
  'systemInstruction',
  'generationConfig',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
  'modelArmorConfig',
]);

const PART_FIELDS: ReadonlySet<string> = new Set([
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'partMetadata',
  'mediaResolution',
  'toolCall',
  'toolResponse',
]);
const DATA_FIELDS = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/** JSON Schema fields that the OpenAPI schema of `parameters` lacks. */
const NO_SCHEMA = new Set([
  '$schema',
  '$ref',
  '$defs',
  'definitions',
  'allOf',
  'oneOf',
  'not',
  'const',
  'patternProperties',
  'exclusiveMinimum',
]);

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

const contentsOf = (body: Json): Json[] => objectsIn(body['contents']).map(camelled);
const partsOf = (content: Json): Json[] => objectsIn(content['parts']).map(camelled);
const countOf = (content: Json | undefined, kind: string): number =>
  content === undefined ? 0 : partsOf(content).filter((part) => part[kind] !== undefined).length;

/** Whether a content is a user's message, not a function result. */
const isAsked = (content: Json): boolean =>
  content['role'] !== 'model' && countOf(content, 'functionResponse') === 0;

const declarationsOf = (body: Json): Json[] =>
  objectsIn(body['tools'])
    .map(camelled)
    .flatMap((tool) => objectsIn(tool['functionDeclarations']))
    .map(camelled);

const foreignWord = (schema: unknown): string | undefined => {
  if (Array.isArray(schema)) return firstOf(schema, foreignWord);
  if (typeof schema !== 'object' || schema === null) return undefined;
  return (
    Object.keys(schema).find((name) => NO_SCHEMA.has(name)) ??
    // Names of properties are the caller's own.
    firstOf(Object.entries(schema), ([name, inner]) =>
      name === 'properties' ? firstOf(Object.values(asJson(inner)), foreignWord) : foreignWord(inner),
    )
  );
};

/** What Google's generateContent refuses. */
export const geminiRules: readonly Rule[] = [
  {
    source: `${REFERENCE} ("Invalid JSON payload received. Unknown name")`,
    broken: (body) => {
      const name = unknownIn(camelled(body), FIELDS);
      return name && `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;
    },
  },
  {
    source: 'ai.google.dev/api/caching#Part: exactly one kind of data',
    broken: (body) =>
      contentsOf(body).length === 0
        ? 'GenerateContentRequest.contents: contents is not specified'
        : firstOf(contentsOf(body), (content, at) =>
            isEmptyList(content['parts']) || content['parts'] === undefined
              ? `GenerateContentRequest.contents[${at}].parts: must not be empty`
              : firstOf(partsOf(content), (part, of) => {
                  const name = unknownIn(part, PART_FIELDS);
                  if (name !== undefined)
                    return `Invalid JSON payload received. Unknown name "${name}" at 'contents[${at}].parts[${of}]'`;
                  const isHeld = DATA_FIELDS.some((field) => part[field] !== undefined);
                  // A signature may come alone, on an empty text.
                  const isBare = part['text'] === '' && part['thoughtSignature'] === undefined;
                  return isHeld && !isBare
                    ? undefined
                    : `contents[${at}].parts[${of}].data: required oneof field 'data' must have one initialized field`;
                }),
          ),
  },
  {
    source: `${REFERENCE} (contents.role): "Please use a valid role: user, model."`,
    broken: (body) =>
      firstOf(contentsOf(body), ({ role }) =>
        role === undefined || isOneOf(role, ['user', 'model', 'function'])
          ? undefined
          : 'Please use a valid role: user, model.',
      ),
  },
  {
    source: 'ai.google.dev/gemini-api/docs/function-calling (names of functions)',
    broken: (body) =>
      firstOf(declarationsOf(body), ({ name }, at) =>
        isText(name) && NAME.test(name)
          ? undefined
          : `GenerateContentRequest.tools[0].function_declarations[${at}].name: [FIELD_INVALID] Invalid function name.`,
      ),
  },
  {
    source:
      'CLIProxyAPI#97, openswarm#24: "Unknown name \\"$schema\\" at \'tools[0].function_declarations[0].parameters\'"',
    broken: (body) =>
      firstOf(declarationsOf(body), ({ parameters }, at) => {
        const name = foreignWord(parameters);
        return (
          name &&
          `Invalid JSON payload received. Unknown name "${name}" at 'tools[0].function_declarations[${at}].parameters'`
        );
      }),
  },
  {
    source:
      'gemini-cli#4217, #16984: "the number of function response parts is equal to the number of function call parts"',
    broken: (body) => {
      const contents = contentsOf(body);
      return firstOf(contents, (content, at) => {
        const [called, answered] = [
          countOf(content, 'functionCall'),
          countOf(contents[at + 1], 'functionResponse'),
        ];
        if (called > 0 && called !== answered)
          return 'Please ensure that the number of function response parts is equal to the number of function call parts.';
        return countOf(content, 'functionResponse') > 0 && countOf(contents[at - 1], 'functionCall') === 0
          ? 'Please ensure that function response turn comes immediately after a function call turn.'
          : undefined;
      });
    },
  },
  {
    source:
      'gemini-cli#11814, #26486: "function call turn comes immediately after a user turn or after a function response turn"',
    broken: (body) => {
      const contents = contentsOf(body);
      return firstOf(contents, (content, at) => {
        // Contents of the model in a row are one turn, as Google's client keeps a streamed answer.
        const isFirst = contents.slice(0, at).every(({ role }) => role === 'model');
        return countOf(content, 'functionCall') > 0 && isFirst
          ? 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
          : undefined;
      });
    },
  },
  {
    source:
      'ai.google.dev/gemini-api/docs/thought-signatures, 5ire#405: "Function call is missing a thought_signature"',
    broken: (body) => {
      if (!/gemini-[3-9]/.test(shown(body['model']))) return undefined;
      const contents = contentsOf(body);
      const asked = contents.findLastIndex((content) => isAsked(content));
      return firstOf(contents.slice(asked + 1), (content) => {
        const call = partsOf(content).find((part) => part['functionCall'] !== undefined);
        return call !== undefined && call['thoughtSignature'] === undefined
          ? 'Function call is missing a thought_signature in functionCall parts.'
          : undefined;
      });
    },
  },
  {
    source: `${REFERENCE} (functionCall.args, functionResponse.response)`,
    broken: (body) =>
      firstOf(contentsOf(body).flatMap(partsOf), (part) => {
        const values = [asJson(part['functionCall'])['args'], asJson(part['functionResponse'])['response']];
        return values.some(
          (value) => value !== undefined && (typeof value !== 'object' || Array.isArray(value)),
        )
          ? 'Invalid value: Proto field is not repeating, cannot start list.'
          : undefined;
      }),
  },
  {
    source: `${REFERENCE} (generationConfig)`,
    broken: (body) => {
      const config = camelled(asJson(camelled(body)['generationConfig']));
      if (asList(config['stopSequences']).length > 5) return 'stop_sequences: at most 5';
      const { maxOutputTokens: most } = config;
      return typeof most === 'number' && most < 1 ? 'max_output_tokens must be positive.' : undefined;
    },
  },
  {
    source: `${REFERENCE} (toolConfig)`,
    broken: (body) => {
      const config = asJson(camelled(asJson(camelled(body)['toolConfig']))['functionCallingConfig']);
      const isForced = shown(config['mode']) === 'ANY';
      return isForced && declarationsOf(body).length === 0
        ? 'Function calling config is set without function_declarations.'
        : undefined;
    },
  },
  {
    source: `${REFERENCE} (inlineData)`,
    broken: (body) =>
      firstOf(contentsOf(body).flatMap(partsOf), (part) => {
        const data = part['inlineData'] === undefined ? undefined : camelled(asJson(part['inlineData']));
        return data === undefined || (isText(data['mimeType']) && data['mimeType'] !== '')
          ? undefined
          : 'Unable to submit request because it must have a mimeType parameter';
      }),
  },
  {
    source: 'ai.google.dev/gemini-api/docs/image-understanding (supported types): "Unsupported MIME type"',
    broken: (body) =>
      firstOf(contentsOf(body).flatMap(partsOf), (part) =>
        camelled(asJson(part['inlineData']))['mimeType'] === 'image/jpg'
          ? 'Unsupported MIME type: image/jpg'
          : undefined,
      ),
  },
  {
    source: `${REFERENCE} (systemInstruction: "Currently, text only")`,
    broken: (body) =>
      firstOf(partsOf(camelled(asJson(camelled(body)['systemInstruction']))), ({ text }) =>
        text === undefined ? 'system_instruction: only text is supported' : undefined,
      ),
  },
];
