import { parsed } from '#contract/text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { channelSettingProblem } from '#core/channel/channel-setting.ts';
import { refuse } from './refuse.ts';

/** The texts of a channel that hold JSON. */
type Texts = Partial<Pick<ChannelRow, 'setting' | 'paramOverride' | 'modelMapping'>>;

/** A name that could be meant as a pattern: no model is called so, and mappings go by whole names. */
const PATTERN = /[*^$|\\[\]{}?]/;

/**
 * Throws what is wrong with what an admin has written, by its name. Only for what is written now: rows from before keep
 * working with what nobody reads in them.
 */
export const checkTexts = ({ setting, paramOverride, modelMapping }: Texts): void => {
  if (setting !== undefined) checkSetting(fieldsOf(setting));
  if (paramOverride !== undefined) for (const name of namesOf(paramOverride)) checkOverride(name);
  if (modelMapping === undefined) return;
  const pattern = namesOf(modelMapping).find((model) => PATTERN.test(model));
  if (pattern !== undefined) throw refuse('channel_mapping_pattern', { model: pattern });
};

const fieldsOf = (text: string): Readonly<Record<string, unknown>> =>
  (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
const namesOf = (text: string): readonly string[] => Object.keys(fieldsOf(text));

const checkSetting = (fields: Readonly<Record<string, unknown>>): void => {
  const problem = channelSettingProblem(fields);
  if (problem !== undefined) throw refuse(problem.key, problem.values);
};

/** An override sets whole fields of the body: what looks like more would be sent as a field of that very name. */
const checkOverride = (name: string): void => {
  if (name.includes('.')) throw refuse('channel_override_path', { name });
  if (NOT_SET.has(name)) throw refuse('channel_override_field', { name });
};

/** Another system's own language of changes, and what says how the answer is read. */
const NOT_SET: ReadonlySet<string> = new Set(['operations', 'stream']);
