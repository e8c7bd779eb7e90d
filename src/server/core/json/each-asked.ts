import { foldedName } from '#contract/asked-words.ts';
import { type Fields, isFields } from './fields.ts';

// Every field of a request that some upstream may interpret as its own, at any depth.

/** Fields that describe the answer's format or contain foreign data: names inside them mean something else. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  'tools',
  'toolchoice',
  'functions',
  'responseformat',
  'responseschema',
  'responsejsonschema',
  'jsonschema',
  'schema',
  'properties',
  'logitbias',
]);
/** Our own data about the files of a form. */
const FILES = '$files';
const DEEPEST = 12;

/** Called for the fields and objects of a body. */
export interface AskedVisitor {
  /** Called for each field of an object, whatever its value. */
  readonly field: (name: string, value: unknown) => void;
  /** Called for each object, with the name of the field it or its list is in; empty for the body. */
  readonly object?: (fields: Fields, under: string) => void;
  readonly text?: (text: string) => void;
}

/** Visits the fields of a body, of the objects in it, and of those in its lists. */
export const eachAsked = (body: Fields, visitor: AskedVisitor): void => visit(body, visitor, '', 0);

const visit = (value: unknown, visitor: AskedVisitor, under: string, depth: number): void => {
  if (typeof value === 'string') visitor.text?.(value);
  else if (depth > DEEPEST) return;
  else if (Array.isArray(value))
    for (const item of value as unknown[]) visit(item, visitor, under, depth + 1);
  else if (isFields(value)) {
    visitor.object?.(value, under);
    for (const [name, inner] of Object.entries(value)) {
      visitor.field(name, inner);
      if (name !== FILES && !NOT_ASKED.has(foldedName(name))) visit(inner, visitor, name, depth + 1);
    }
  }
};
