import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { Tool } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#core/json/fields.ts';

/** How a model family's prompt template describes tools. */
export interface ToolTemplate {
  /** Describes one tool as text. */
  write(tool: Tool): string;
  /** Tokens around all tools, if there are any: the instructions on tools and calls. */
  readonly once: number;
  readonly each: number;
}

/** As in most templates: the JSON of the request. */
const asJson = ({ name, description, parameters }: Tool): string =>
  JSON.stringify({ name, description, parameters });

/** Deeper than any hand-written schema. */
const MOST_DEPTH = 32;

const typeOf = (schema: Fields, depth: number): string => {
  const options = listOf(schema['enum']);
  if (options.length > 0) return options.map((option) => JSON.stringify(option)).join(' | ');
  const either = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (either.length > 0) return either.map((one) => typeOf(fieldsOf(one), depth + 1)).join(' | ');
  if (schema['properties'] !== undefined && depth < MOST_DEPTH) return `{\n${fieldsText(schema, depth + 1)}}`;
  if (schema['items'] !== undefined && depth < MOST_DEPTH)
    return `${typeOf(fieldsOf(schema['items']), depth + 1)}[]`;
  return textOf(schema['type']) ?? textOf(schema['$ref'])?.replace(/^.*\//, '') ?? 'any';
};

const fieldsText = (schema: Fields, depth: number): string => {
  const required = new Set(listOf(schema['required']));
  return Object.entries(fieldsOf(schema['properties']))
    .map(([name, value]) => {
      const field = fieldsOf(value);
      const about = textOf(field['description']);
      const comment = about === undefined ? '' : `// ${about}\n`;
      return `${comment}${name}${required.has(name) ? '' : '?'}: ${typeOf(field, depth)},\n`;
    })
    .join('');
};

/** As in OpenAI's templates: a TypeScript namespace of functions. */
const asNamespace = ({ name, description, parameters }: Tool): string => {
  const about = description === undefined ? '' : `// ${description}\n`;
  const fields = fieldsText(fieldsOf(parameters), 0);
  return `${about}type ${name} = (${fields === '' ? '' : `_: {\n${fields}}`}) => any;\n`;
};

/** As Gemini counts them: only names, types and descriptions. */
const asWords = ({ name, description = '', parameters }: Tool): string =>
  `${name} ${description} ${fieldsText(fieldsOf(parameters), 0).replace(/[^\p{L}\p{N}\s]/gu, ' ')}`;

const json = (once: number): ToolTemplate => ({ write: asJson, once, each: 10 });

/** Tool templates by model, from the published prompt templates or measured by usage reports. */
const TEMPLATES: readonly (readonly [RegExp, ToolTemplate])[] = [
  [/claude-(?:3[-.][57]|(?:opus|sonnet)-4(?:-[01]\b|-\d{8}|$|@))/, json(313)],
  [/claude/, json(560)],
  // Early models get long instructions on calls; those after 5.0 do not.
  [/gpt-5(?![.\d])(?!.*codex)/, { write: asNamespace, once: 84, each: 0 }],
  [/gpt|codex|\bo[134]\b/, { write: asNamespace, once: 14, each: 0 }],
  [/gemini|gemma/, { write: asWords, once: 4, each: 2 }],
  [/kimi|mistral|mixtral|magistral|ministral|codestral|devstral/, json(8)],
  [/qwen-?3[.-][5-9]/, json(240)],
  [/glm/, json(95)],
  [/deepseek-r1/, json(90)],
  [/deepseek/, json(225)],
  [/grok-(?:code|4[.-][2-9]|[5-9])/, json(340)],
];

/** The common chat template: where tools are listed, and how to write a call. */
const USUAL = json(90);

/** How tools are described to a model's family. */
export const toolTemplateOf = (model: string): ToolTemplate => {
  const name = model.toLowerCase();
  return TEMPLATES.find(([family]) => family.test(name))?.[1] ?? USUAL;
};

/** The text that describes a tool to the model. */
export const toolText = (tool: Tool, template: ToolTemplate): string => {
  const holder = onlyFormatOf(tool.extras);
  return holder === undefined ? template.write(tool) : JSON.stringify(tool.extras?.[holder]);
};
