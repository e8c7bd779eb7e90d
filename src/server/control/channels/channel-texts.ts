import { type Fields, fieldsOf, listOf, parsedFields } from '#core/json/fields.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { withoutBlanks } from '#core/channel/parse-channel.ts';
import { channelSettingProblem } from '#core/channel/channel-setting.ts';
import { isDecidingOverride, isRealtimeModel, numberProblem } from '#contract/channel/override-fields.ts';
import { mappingProblem } from '#contract/channel/model-mapping.ts';
import { commaList } from '#contract/text.ts';
import { wrongName } from '#core/json/wrong-name.ts';
import { refuse } from '../refuse.ts';

/** The fields of a channel that hold JSON. */
type Texts = Partial<Pick<ChannelRow, (typeof JSON_FIELDS)[number][0]>>;

/** With what the API calls them. */
const JSON_FIELDS = [
  ['setting', 'setting'],
  ['paramOverride', 'param_override'],
  ['modelMapping', 'model_mapping'],
  ['statusCodeMapping', 'status_code_mapping'],
] as const;

/**
 * Throws what is wrong with an admin's JSON, naming the field. Checks only new values: older rows keep working with
 * fields that nothing reads.
 */
export const checkTexts = (texts: Texts): void => {
  const { setting, paramOverride, modelMapping } = texts;
  for (const [name, field] of JSON_FIELDS) {
    const issue = wrongName(texts[name] ?? '');
    if (issue !== undefined) throw refuse('channel_json_name', { field, issue });
  }
  if (setting !== undefined) checkSetting(textFields(setting));
  if (paramOverride !== undefined)
    for (const [name, value] of Object.entries(textFields(paramOverride))) checkOverride(name, value);
  if (modelMapping === undefined) return;
  const problem = mappingProblem(withoutBlanks(textFields(modelMapping) as Record<string, string>));
  if (problem !== undefined) throw refuse(MAPPING_PROBLEMS[problem.kind], { model: problem.model });
};

const MAPPING_PROBLEMS = {
  pattern: 'channel_mapping_pattern',
  stars: 'channel_mapping_stars',
  length: 'channel_mapping_length',
  circle: 'channel_mapping_cycle',
} as const;

/** Throws if a channel has rules for bodies but only offers realtime models, whose conversations have no body. */
export const checkBodiless = ({
  models,
  setting,
  paramOverride,
}: Pick<ChannelRow, 'models' | 'setting' | 'paramOverride'>): void => {
  if (!commaList(models).every(isRealtimeModel)) return;
  const { overrides } = textFields(setting);
  const isOfBody = (rule: unknown): boolean => (fieldsOf(rule)['on'] ?? 'body') === 'body';
  if (listOf(overrides).some(isOfBody) || Object.keys(textFields(paramOverride)).length > 0)
    throw refuse('channel_override_realtime');
};

const textFields = (text: string): Fields => parsedFields(text) ?? {};

const checkSetting = (fields: Fields): void => {
  const problem = channelSettingProblem(fields);
  if (problem !== undefined) throw refuse(problem.key, problem.values);
};

/**
 * A parameter override sets whole top-level fields. Anything that looks like a path or another gateway's operation is
 * refused, because it would be sent as a field of that literal name. Rules belong in the setting.
 */
const checkOverride = (name: string, value: unknown): void => {
  if (name.includes('.')) throw refuse('channel_override_path', { name });
  if (name === 'operations' || isDecidingOverride([name], value))
    throw refuse('channel_override_field', { name });
  const problem = numberProblem([name], value);
  if (problem !== undefined) throw refuse('channel_override_number', { name: problem.name });
};
