import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import { overriddenBody } from '#core/channel/overrides/override-body.ts';
import type { Fields } from '#core/json/fields.ts';
import { isLengthWord } from '#contract/asked-words.ts';

/** What a channel changes of a body: whole fields first, then its rules that hold for the call. */
interface Overriding {
  readonly channel: Pick<Channel, 'paramOverride'>;
  readonly overrides?: readonly Override[] | undefined;
}

/** The body as the operator wants it; the same object where nothing changes. */
export const withOverrides = ({ channel, overrides = [] }: Overriding, body: Fields): Fields => {
  const { paramOverride } = channel;
  const merged = Object.keys(paramOverride).length > 0 ? { ...body, ...paramOverride } : body;
  return overrides.length > 0 ? overriddenBody(merged, overrides) : merged;
};

/** Objects in which formats have the length of the answer. */
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

/** −1 is how some upstreams are told that there is none. */
const isLimit = (value: unknown): boolean => typeof value === 'number' && value >= 0;

/**
 * Whether an override takes away the caller's limit of the answer: by its name, as for an upstream that knows none, or by
 * the way, with all of an object.
 */
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
