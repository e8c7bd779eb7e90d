import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest, readModelName } from '../../dialects/anthropic-messages/fill-request.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import type { Addressed, Operation, Provider } from '../provider.ts';
import { claudeSettings } from './claude-settings.ts';

/** The version of the format that is written here (platform.claude.com/docs, API versions). */
const VERSION = '2023-06-01';

const PATHS: Partial<Readonly<Record<Operation, string>>> = {
  chat: '/messages',
  models: '/models?limit=1000',
};

/** Names of features under test, as the caller or the operator asks for them. */
const BETA_SHAPE = /^[\w.,\s-]{1,2000}$/;
const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Anthropic itself, and anything that answers at the same paths. */
export const anthropic: Provider = {
  dialect: anthropicMessages,
  operations: ['chat', 'models'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v1$/, '')}/v1${PATHS[call.operation] ?? ''}`,
    headers: {
      ...contentHeaders(call),
      'x-api-key': channel.key.reveal().trim(),
      'anthropic-version': given(call, 'anthropic-version', VERSION_SHAPE) ?? VERSION,
      ...claudeHeaders(call),
    },
  }),
  adjust: (body, call) =>
    call.operation === 'chat' ? fillRequest(body, call.model, claudeSettings(call)) : body,
};

/**
 * Headers for this model: the operator's, where a list of `anthropic-beta` is put together with the caller's. The
 * operator's names for a model also hold for the name with a suffix that asks for thinking.
 */
export const claudeHeaders = (call: Addressed): Record<string, string> => {
  const headers: Record<string, string> = {};
  const betas = new Set(splitList(given(call, 'anthropic-beta', BETA_SHAPE) ?? ''));
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
const given = ({ callerHeaders }: Addressed, name: string, shape: RegExp): string | undefined => {
  const value = callerHeaders?.[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text !== undefined && shape.test(text) ? text : undefined;
};
