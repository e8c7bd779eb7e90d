import { readModelName } from '../dialects/anthropic-messages/fill-request.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Addressed } from './provider.ts';
import { claudeSettings } from './claude-settings.ts';

/** Names of features under test, as the caller or the operator asks for them. */
const BETA_SHAPE = /^[\w.,\s-]{1,2000}$/;

/** The version of the format that is written here (platform.claude.com/docs, API versions). */
const VERSION = '2023-06-01';

/** A version as a caller may ask for it. */
const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** What the Messages format says in headers: the key where there is one, the version, features under test. */
export const messagesHeaders = (channel: Channel, call: Addressed): Record<string, string> => {
  const key = channel.key.reveal().trim();
  return {
    ...(key !== '' && { 'x-api-key': key }),
    'anthropic-version': givenHeader(call, 'anthropic-version', VERSION_SHAPE) ?? VERSION,
    ...claudeHeaders(call),
  };
};

/**
 * Headers for this model: the operator's, where a list of `anthropic-beta` is put together with the caller's. The
 * operator's names for a model also hold for the name with a suffix that asks for thinking.
 */
export const claudeHeaders = (call: Addressed): Record<string, string> => {
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

/** A header of the caller, where it looks as it should. */
export const givenHeader = (
  { callerHeaders }: Addressed,
  name: string,
  shape: RegExp,
): string | undefined => {
  const value = callerHeaders?.[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text !== undefined && shape.test(text) ? text : undefined;
};
