/** Models whose id at Bedrock cannot be derived from the name (docs.aws.amazon.com/bedrock, supported foundation models). */
const IDS: Readonly<Record<string, string>> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-sonnet-latest': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-haiku-latest': 'anthropic.claude-3-5-haiku-20241022-v1:0',
  'claude-3-7-sonnet-latest': 'anthropic.claude-3-7-sonnet-20250219-v1:0',
  'claude-sonnet-4-0': 'anthropic.claude-sonnet-4-20250514-v1:0',
  'claude-opus-4-0': 'anthropic.claude-opus-4-20250514-v1:0',
  'claude-opus-4-1': 'anthropic.claude-opus-4-1-20250805-v1:0',
  'claude-sonnet-4-5': 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'claude-haiku-4-5': 'anthropic.claude-haiku-4-5-20251001-v1:0',
  'claude-opus-4-5': 'anthropic.claude-opus-4-5-20251101-v1:0',
  'claude-opus-4-6': 'anthropic.claude-opus-4-6-v1',
};

/** Early models are offered in single regions; later ones only through a profile that spans several regions. */
const IN_REGION = /^anthropic\.claude-(?:instant|v2|3-(?:haiku|sonnet|opus)|3-5-sonnet-20240620)/;
const SINCE_4_5 = /-4-[5-9]|-[5-9](?:-|$)/;

/** ARNs that do not name the model. They are most likely Claude. */
const OPAQUE = /^arn:.*:(?:application-inference-profile|provisioned-model)\//;

/** Whether Bedrock serves a model in Anthropic's format, by the model's name, id or ARN. */
export const isClaudeAtBedrock = (model: string): boolean =>
  model.startsWith('claude-') || /(?:^|[./])anthropic\.claude/.test(model) || OPAQUE.test(model);

/**
 * The id of a model in a region. An id, a profile or an ARN passes unchanged, so that a channel's model mapping can name
 * any. Amazon's own models also have short names: `nova-pro`, `nova-2-lite`.
 */
export const bedrockModelId = (model: string, region: string): string => {
  if (/^nova-(?:\d-)?[a-z]+(?:-v\d+:\d+)?$/.test(model))
    return withProfile(`amazon.${model}${/-v\d/.test(model) ? '' : '-v1:0'}`, region);
  if (!model.startsWith('claude-')) return model;
  const id = IDS[model] ?? `anthropic.${model}${/-\d{8}$/.test(model) ? '-v1:0' : ''}`;
  return IN_REGION.test(id) ? id : withProfile(id, region);
};

/** The id with the profile that spans the region's neighbours, which most newer models need. */
export const withProfile = (id: string, region: string): string => `${profileOf(region, id)}.${id}`;

const profileOf = (region: string, id: string): string => {
  if (region.startsWith('us-gov-')) return 'us-gov';
  if (region.startsWith('us-') || region.startsWith('ca-')) return 'us';
  if (region.startsWith('eu-')) return 'eu';
  if (!SINCE_4_5.test(id)) return 'apac';
  if (region === 'ap-northeast-1' || region === 'ap-northeast-3') return 'jp';
  return region === 'ap-southeast-2' || region === 'ap-southeast-4' ? 'au' : 'global';
};
