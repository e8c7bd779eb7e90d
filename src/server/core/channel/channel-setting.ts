import { z } from 'zod';
import { channelCost } from '#contract/channel/channel-cost.ts';
import { channelOverrides } from '#contract/channel/channel-overrides.ts';
import { channelCapacity } from '#contract/channel/channel-capacity.ts';
import { issuePath, issuePhrase } from '#contract/issue-phrase.ts';
import type { Phrase } from '#contract/messages.ts';
import { timeLimits } from '#contract/channel/time-limits.ts';
import { PROXY_PASSWORD } from '../outbound/outbound-proxy.ts';

/** The fields of a channel's `setting`; each one is used. */
export const settingSchema = timeLimits.extend({
  system_prompt: z.string().optional(),
  pass_through_body_enabled: z.boolean().optional(),
  proxy: z.string().nullish(),
  capacity: channelCapacity.optional(),
  cost: channelCost.optional(),
  overrides: channelOverrides.optional(),
  [PROXY_PASSWORD]: z.string().optional(),
});

/** Features of similar systems that are not offered here. Accepted when off, so that settings can be copied over. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'force_format',
  'thinking_to_content',
  'system_prompt_override',
]);
const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(settingSchema.shape));
const known = Object.keys(settingSchema.shape).filter((name) => name !== PROXY_PASSWORD);
const isOff = (value: unknown): boolean => value === false || value === null;

/** What is wrong with a new `setting`: an unknown field, or an invalid value. */
export const channelSettingProblem = (fields: Readonly<Record<string, unknown>>): Phrase | undefined => {
  for (const [name, value] of Object.entries(fields)) {
    const schema = schemas.get(name);
    if (NOT_OFFERED.has(name)) {
      if (!isOff(value)) return { key: 'channel_setting_unoffered', values: { name } };
    } else if (schema === undefined)
      return { key: 'channel_setting_unknown', values: { name, known: known.join(', ') } };
    else {
      const [issue] = schema.safeParse(value).error?.issues ?? [];
      // The proxy parser reports its own errors.
      if (issue !== undefined && name !== 'proxy')
        return {
          key: 'channel_setting_value',
          values: { name: [name, issuePath(issue)].filter(Boolean).join('.'), issue: issuePhrase(issue) },
        };
    }
  }
  return undefined;
};
