import type { Channel } from '#core/channel/channel.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import { overriddenHeaders } from '#core/channel/overrides/override-headers.ts';
import type { Fields } from '#core/json/fields.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { withOverrides } from '../request/overridden.ts';
import type { TaskCall } from './task-ports.ts';

/** Fields that say which task to make and from what. The price depends on them, so overrides cannot change them. */
const DECIDING = [
  'model',
  'action',
  'customId',
  'content',
  'taskId',
  'index',
  'task_id',
  'continue_clip_id',
] as const;

/** A task for a channel, as its caller gave it. */
interface Asked {
  readonly model: string;
  readonly call: Pick<TaskCall, 'headers'>;
  readonly body: Fields;
  request(channel: Channel, body: Fields): OutboundRequest;
}

/** Builds the request that submits a task, with the channel's overrides applied. */
export const taskRequest = (
  { model, call: { headers }, body, request }: Asked,
  group: string,
  channel: Channel,
): OutboundRequest => {
  const overrides = activeOverrides(channel.setting.overrides, { model, group, headers });
  const sent = request(channel, withDeciding(withOverrides({ channel, overrides }, body), body));
  return overrides.length === 0
    ? sent
    : { ...sent, headers: overriddenHeaders(sent.headers, overrides, headers) };
};

const withDeciding = (sent: Fields, asked: Fields): Fields => {
  if (sent === asked) return asked;
  const kept: Record<string, unknown> = { ...sent };
  for (const name of DECIDING)
    if (Object.hasOwn(asked, name)) kept[name] = asked[name];
    else delete kept[name];
  return kept;
};
