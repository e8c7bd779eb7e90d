import { ACCOUNT_HEADERS } from '../../../dialects/account-objects.ts';
import { readModelName } from '../../../dialects/anthropic-messages/request/fill-request.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { UpstreamCall } from '../../../dialects/upstream.ts';
import { claudeSettings } from './claude-settings.ts';

/** A list of beta features, from the caller or the operator. */
const BETA_SHAPE = /^[\w.,\s-]{1,2000}$/;

/** The version of the format that we write (platform.claude.com/docs, API versions). */
const VERSION = '2023-06-01';

/**
 * The version that a caller asks for. It applies to the caller's own body only: since 2026-10-21 newer versions
 * refuse some of what we write.
 */
const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

const ID_SHAPE = /^[\w-]{1,200}$/;

/** The headers of the Messages format: the key if the channel has one, the version, beta features. */
export const messagesHeaders = (channel: Channel, call: UpstreamCall): Record<string, string> => {
  const key = channel.key.reveal().trim();
  return {
    ...(key !== '' && { 'x-api-key': key }),
    'anthropic-version':
      (call.isRepeated === false ? undefined : givenHeader(call, 'anthropic-version', VERSION_SHAPE)) ??
      VERSION,
    ...accountHeaders(call),
    ...claudeHeaders(call),
  };
};

/** Whom the upstream bills, if callers may say so: it is refused for all others. */
const accountHeaders = (call: UpstreamCall): Record<string, string> => {
  if (call.options?.['global.account_objects_enabled'] !== true) return {};
  return Object.fromEntries(
    ACCOUNT_HEADERS.flatMap((name) => {
      const value = givenHeader(call, name, ID_SHAPE);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/**
 * The operator's headers for this model. `anthropic-beta` lists the caller's features and the operator's. Headers set for
 * a model also apply to its name with a thinking suffix.
 */
export const claudeHeaders = (call: UpstreamCall): Record<string, string> => {
  const headers: Record<string, string> = {};
  const betas = new Set(splitList(givenHeader(call, 'anthropic-beta', BETA_SHAPE) ?? ''));
  const settings = call.options?.['claude.model_headers_settings'] ?? {};
  const { model } = readModelName(call.model, claudeSettings(call));
  const wanted = settings[call.model] ?? settings[model] ?? {};
  for (const [name, value] of Object.entries(wanted)) {
    const values = typeof value === 'string' ? [value] : value;
    if (name.toLowerCase() === 'anthropic-beta')
      for (const beta of values.flatMap(splitList)) betas.add(beta);
    else if (values.length > 0) headers[name.toLowerCase()] = values.join(',');
  }
  return betas.size === 0 ? headers : { ...headers, 'anthropic-beta': [...betas].join(',') };
};

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A caller's header; undefined where it is missing or does not match `shape`. */
const givenHeader = ({ callerHeaders }: UpstreamCall, name: string, shape: RegExp): string | undefined => {
  const value = callerHeaders?.[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text !== undefined && shape.test(text) ? text : undefined;
};
