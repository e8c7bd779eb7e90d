import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import { overriddenBody } from '#core/channel/overrides/override-body.ts';
import type { Fields } from '#core/json/fields.ts';
import { isLengthWord } from '#contract/asked-words.ts';

/** A channel's changes to a body: whole fields first, then the rules that apply to the call. */
interface Overriding {
  readonly channel: Pick<Channel, 'paramOverride'>;
  readonly overrides?: readonly Override[] | undefined;
}

/** Applies the operator's overrides; returns the same object if nothing changes. */
export const withOverrides = ({ channel, overrides }: Overriding, body: Fields): Fields => {
  const { paramOverride } = channel;
  const merged = hasFields(paramOverride) ? { ...body, ...paramOverride } : body;
  return overrides === undefined || overrides.length === 0 ? merged : overriddenBody(merged, overrides);
};

const hasFields = (fields: Fields): boolean => {
  for (const name in fields) if (Object.hasOwn(fields, name)) return true;
  return false;
};

/** Objects that hold the answer's length limit in some formats. */
const HOLDERS: ReadonlySet<string> = new Set([
  'generationConfig',
  'generation_config',
  'inferenceConfig',
  'extra_body',
  'extraBody',
  'config',
  'options',
  'parameters',
]);

/** Some upstreams take −1 for no limit. */
const isLimit = (value: unknown): boolean => typeof value === 'number' && value >= 0;

/** Whether an override removes the caller's length limit: directly, or together with the object that holds it. */
export const dropsLimit = (
  paramOverride: Fields,
  overrides: readonly Override[],
): 'by-name' | 'with-holder' | undefined => {
  let found: 'with-holder' | undefined;
  for (const [name, value] of Object.entries(paramOverride)) {
    if (isLengthWord(name) && !isLimit(value)) return 'by-name';
    if (HOLDERS.has(name)) found = 'with-holder';
  }
  for (const { op, on, path, value } of overrides) {
    if (on !== 'body' || (op !== 'delete' && op !== 'set')) continue;
    const last = path.at(-1) ?? '';
    if (isLengthWord(last) && !isLimit(value)) return 'by-name';
    if (HOLDERS.has(last) || last === '*') found = 'with-holder';
  }
  return found;
};
