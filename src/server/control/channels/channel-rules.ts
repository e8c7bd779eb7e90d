import { type CheckUrl, proxyOf } from './channel-proxy.ts';
import { channelType, neededOther, needsAddress } from '#contract/channel-types.ts';
import { GEMINI_VERSION } from '#contract/options/models.ts';
import { keyHomeOf } from '#contract/channel/key-home.ts';
import { CHANNEL_MODELS_MAX, MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { parsed } from '#contract/json-text.ts';
import { commaList, misfit } from '#contract/text.ts';
import { isVertexRegion, vertexRegions } from '#contract/channel/vertex-regions.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { mappingProblem } from '#contract/channel/model-mapping.ts';
import { parseChannel } from '#core/channel/parse-channel.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import { refuse, sayError, whyOf } from '../refuse.ts';
import { pastedAccounts, type PastedKeys, pastedKeys } from './keys/pasted-keys.ts';

const GEMINI_TYPE = 24;
/** Alibaba: `other` goes out in a header. */
const TYPE_WITH_PLUGINS = 17;
/** Vertex: the key is a multi-line JSON text, or a single word in express mode. */
const TYPE_WITH_JSON_KEY = 41;
const EXPRESS_KEYS = /^[\w.-]+(\s+[\w.-]+)*$/;

/** The keys of a pasted text, with the names beside them; a multi-line JSON key stays whole. */
export const readKeys = (type: number, text: string): PastedKeys =>
  isServiceAccount(type, text) ? pastedAccounts(text) : pastedKeys(text);

/** The same without their names. */
export const splitKeys = (type: number, text: string): string[] =>
  readKeys(type, text).keys.map(({ key }) => key);

const isServiceAccount = (type: number, text: string): boolean =>
  type === TYPE_WITH_JSON_KEY && !EXPRESS_KEYS.test(text.trim());

/** Throws unless the channel can be served as it is. */
export const checkChannel = (row: ChannelRow, checkUrl: CheckUrl): void => {
  const type = channelType(row.type);
  if (type === undefined) throw refuse('channel_type_unknown', { type: row.type });
  checkModels(commaList(row.models));
  checkAddress(row, checkUrl);
  checkOther(row);
  checkVersion(row);
  checkMapping(row.modelMapping);
  checkSigns(row.testModel);
  try {
    parseChannel(
      row,
      () => new Secret(''),
      () => '',
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse('channel_unreadable', { issue: whyOf(error) });
  }
};

/** Model names become part of URL paths: `..` would send the key to another path of the host. */
const leadsAway = (model: string): boolean => /(^|[/\\])\.{1,2}($|[/\\])/.test(model);

/** Control characters and lone surrogates, which are in no address. */
const NO_SIGN = /[\p{Cc}\p{Cs}]/u;
/** Characters that are invalid in addresses: parsers drop them or read them as others. */
const NOT_IN_ADDRESSES = /[\p{Cc}\p{Cs}\s\\]/u;

const checkSigns = (model: string): void => {
  const values = misfit(model, NO_SIGN);
  if (values === undefined) return;
  const shown = model
    .slice(0, SHOWN_OF_NAME)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed();
  throw refuse('channel_model_sign', { model: shown, ...values });
};

const checkModels = (models: readonly string[]): void => {
  if (models.length === 0) throw sayError('invalid_request', 'channel_models_needed');
  if (models.length > CHANNEL_MODELS_MAX)
    throw refuse('channel_too_many_models', { limit: CHANNEL_MODELS_MAX });
  if (models.some(leadsAway)) throw refuse('channel_model_path');
  models.forEach(checkSigns);
  const tooLong = models.find((model) => model.length > MODEL_NAME_MAX_LENGTH);
  if (tooLong !== undefined)
    throw refuse('channel_model_too_long', {
      limit: MODEL_NAME_MAX_LENGTH,
      model: `${tooLong.slice(0, SHOWN_OF_NAME)}…`,
    });
};

/** How much of an overlong name the error shows. */
const SHOWN_OF_NAME = 40;

/**
 * Checks that an address is public, as far as its text shows; its DNS name is checked when it is called. Types without
 * a default address must be given one.
 */
export const checkAddress = (
  { type, baseUrl }: Pick<ChannelRow, 'type' | 'baseUrl'>,
  checkUrl: CheckUrl,
): void => {
  if (baseUrl === '') {
    if (needsAddress(type))
      throw refuse('channel_address_needed', { type: channelType(type)?.label ?? type });
    return;
  }
  const values = misfit(baseUrl, NOT_IN_ADDRESSES);
  if (values !== undefined)
    throw refuse('channel_address_bad', { issue: { key: 'issue_in_address', values } });
  try {
    checkUrl(baseUrl);
  } catch (error) {
    throw refuse('channel_address_bad', { issue: whyOf(error) });
  }
  // Paths are appended to the address.
  if (/[?#]/.test(baseUrl)) throw refuse('channel_address_bad', { issue: { key: 'address_query' } });
};

const OTHERS = {
  'account-id': 'channel_account_needed',
  'bot-id': 'channel_bot_needed',
  'library-id': 'channel_library_needed',
} as const;

/** Gemini's version is part of the path: a bad one would send the key to another path. */
const checkVersion = ({ type, other }: ChannelRow): void => {
  if (type === GEMINI_TYPE && other.trim() !== '' && !GEMINI_VERSION.test(other.trim()))
    throw refuse('channel_version_bad');
};

const checkOther = ({ type, other }: ChannelRow): void => {
  const needed = neededOther(type);
  if (needed !== undefined && other.trim() === '')
    throw refuse(OTHERS[needed], { type: channelType(type)?.label ?? type });
  const regions = type === TYPE_WITH_JSON_KEY ? vertexRegions(other) : undefined;
  const bad = regions?.size === 0 ? other : regions?.values().find((region) => !isVertexRegion(region));
  if (bad !== undefined) throw refuse('channel_region_bad', { region: bad.slice(0, SHOWN_OF_NAME) });
  const values = type === TYPE_WITH_PLUGINS ? misfit(other.trim()) : undefined;
  if (values !== undefined) throw refuse('channel_plugin_sign', { issue: { key: 'issue_header', values } });
};

const checkMapping = (text: string): void => {
  const mapping = new Map(Object.entries((parsed(text) ?? {}) as Record<string, string>));
  if ([...mapping.values()].some((model) => leadsAway(String(model)))) throw refuse('channel_model_path');
  for (const model of mapping.values()) checkSigns(String(model));
  const problem = mappingProblem(mapping);
  if (problem?.kind === 'circle') throw refuse('channel_mapping_cycle', { model: problem.model });
};

/**
 * A stored key is only sent to the address it was entered for: a new address or type needs the key again. So does a new
 * proxy that could read the key.
 */
export const checkKeyStays = (before: ChannelRow, after: ChannelRow): void => {
  const home = keyHomeOf(before.type, before.baseUrl);
  if (before.type === after.type && home === keyHomeOf(after.type, after.baseUrl)) {
    const isSeen = !home.startsWith('https:') && proxyOf(after.setting) !== '';
    if (isSeen && proxyOf(before.setting) !== proxyOf(after.setting)) throw refuse('channel_key_proxy');
    return;
  }
  throw refuse('channel_key_host', { host: home || (channelType(before.type)?.label ?? '') });
};
