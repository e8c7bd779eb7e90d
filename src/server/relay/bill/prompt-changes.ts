import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import { isFields, listOf } from '#core/json/fields.ts';
import { estimateTokens } from '../../dialects/openai/usage/estimate-tokens.ts';
import type { CallerRequest } from '../request/request.ts';

/** The fields of the prompt, in all formats. */
export const PROMPT_FIELDS = [
  'messages',
  'system',
  'input',
  'instructions',
  'prompt',
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'functions',
  'response_format',
];

const isOfPrompt = (name = ''): boolean => name === '*' || PROMPT_FIELDS.includes(name);

/** Whether the upstream of a channel gets another prompt than its callers send. */
export const changesPrompts = ({
  paramOverride,
  setting,
}: Pick<Channel, 'paramOverride' | 'setting'>): boolean =>
  setting.systemPrompt !== undefined ||
  Object.keys(paramOverride).some(isOfPrompt) ||
  setting.overrides?.some(({ on, path: [name] }) => on === 'body' && isOfPrompt(name)) === true;

type Asked = Pick<CallerRequest, 'bytes' | 'body'>;

/** A rule that may write a text into many places of the prompt, and the tokens it adds to each place. */
interface Manifold {
  readonly growth: number;
  /** The number of `*` in its path. Replacements have none: their matches are counted instead. */
  readonly stars: number;
  /** A text that occurs wherever the replacement matches, escaped as in JSON; empty if it matches anything. */
  readonly marks: string | undefined;
}

const known = new WeakMap<readonly Override[], readonly Manifold[]>();

/** The tokens that rules add to the prompt by writing into more than one place of it. */
export const writtenOften = (rules: readonly Override[], request: Asked): number => {
  let manifold = known.get(rules);
  if (manifold === undefined) known.set(rules, (manifold = rules.flatMap(manifoldOf)));
  return manifold.reduce((sum, rule) => sum + rule.growth * Math.max(0, timesOf(rule, request) - 1), 0);
};

const manifoldOf = ({ op, on, path, value, find }: Override): Manifold[] => {
  const isWritten = op === 'set' || op === 'append' || op === 'replace';
  const stars = path.filter((name) => name === '*').length;
  if (on !== 'body' || !isWritten || (op !== 'replace' && stars === 0)) return [];
  if (!isOfPrompt(path[0])) return [];
  const tokens = estimateTokens(value);
  if (op !== 'replace') return tokens > 0 ? [{ growth: tokens, stars, marks: undefined }] : [];
  const growth = tokens - estimateTokens(find.join(''));
  const longest = find.reduce((most, literal) => (literal.length > most.length ? literal : most), '');
  return growth > 0 ? [{ growth, stars, marks: JSON.stringify(longest).slice(1, -1) }] : [];
};

const timesOf = ({ stars, marks }: Manifold, { bytes, body }: Asked): number => {
  if (marks !== undefined && marks !== '') return occurrences(bytes, marks);
  // A large body was parsed in another thread, and its lists are missing here.
  const items = Math.max(...PROMPT_FIELDS.map((name) => itemsIn(body[name], stars)), 0);
  return items > 0 ? items : occurrences(bytes, stars > 1 ? '{' : '"role"');
};

/** The items of a list; with more than one star those of the lists in them as well. */
const itemsIn = (value: unknown, stars: number): number => {
  const items = listOf(value);
  if (stars < 2) return items.length;
  return items.reduce<number>((sum, item) => {
    const inner = isFields(item) ? Object.values(item) : [];
    return sum + 1 + inner.reduce<number>((all, one) => all + listOf(one).length, 0);
  }, 0);
};

const occurrences = (bytes: Buffer, text: string): number => {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count += 1;
  return count;
};
