import { z } from 'zod';
import { bodyId, endpoint, idParams, nothing } from '../../endpoint.ts';
import {
  CHANNEL_BATCH_MAX,
  CHANNEL_NAME_MAX_LENGTH,
  CHANNEL_PRIORITY_MAX,
  CHANNEL_PRIORITY_MIN,
  CHANNEL_TAG_MAX_LENGTH,
  CHANNEL_WEIGHT_MAX,
  SETTING_MAX_LENGTH,
} from '../../limits.ts';
import { textMap, trimmed, wholeNumber, withCommas } from '../../text.ts';
import { was } from '../../was.ts';
import { groupList } from './channel-fields.ts';

/** Changes to many channels: by their ids, by their tag, or to all. */

const idsWith = (whenEmpty: string) => z.array(bodyId, whenEmpty).min(1, whenEmpty).max(CHANNEL_BATCH_MAX);
const tag = trimmed(CHANNEL_TAG_MAX_LENGTH, 'channel_tag_empty');
const tagOnly = z.strictObject({ tag: tag.min(1, 'channel_tag_empty') });

export const deleteChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch',
  access: 'admin',
  owner: 'any',
  summary: 'Delete the channels with these ids; answers how many there were',
  body: z.strictObject({ ids: idsWith('channel_batch_empty') }),
  data: z.number(),
});

export const tagChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/tag',
  access: 'admin',
  owner: 'any',
  summary:
    'Give the channels with these ids a tag, unless their tags have changed since `was`; null takes it away. Answers how many',
  body: z.strictObject({
    ids: idsWith('channel_tag_none_chosen'),
    tag: tag.min(1, 'channel_tag_empty').nullable(),
    was: z
      .array(z.object({ id: bodyId, tag: z.string().nullable() }))
      .max(CHANNEL_BATCH_MAX)
      .optional(),
  }),
  data: z.number(),
});

export const deleteDisabledChannels = endpoint({
  method: 'DELETE',
  path: '/api/channel/disabled',
  access: 'admin',
  owner: 'any',
  summary: 'Delete every channel that is disabled, by hand or automatically; answers how many there were',
  data: z.number(),
});

export const fixChannels = endpoint({
  method: 'POST',
  path: '/api/channel/fix',
  access: 'admin',
  owner: 'any',
  summary: 'Read all channels again and rebuild what calls are routed by; answers how many are served',
  data: z.number(),
});

export const copyChannel = endpoint({
  method: 'POST',
  path: '/api/channel/copy/:id',
  access: 'admin',
  owner: 'any',
  summary: 'Make a channel like this one, including its key, which never leaves the server',
  params: idParams,
  body: z.strictObject({ name: trimmed(CHANNEL_NAME_MAX_LENGTH).optional() }),
  data: z.number(),
});

const priority = wholeNumber('channel_priority_integer').pipe(
  z.number().min(CHANNEL_PRIORITY_MIN).max(CHANNEL_PRIORITY_MAX),
);
const weight = wholeNumber('channel_weight_natural').pipe(
  z.number().min(0, 'channel_weight_natural').max(CHANNEL_WEIGHT_MAX),
);

export const editTag = endpoint({
  method: 'PUT',
  path: '/api/channel/tag',
  access: 'admin',
  owner: 'any',
  summary:
    'Change every channel of a tag, unless others have since `was`: what is empty stays; an empty `new_tag` dissolves the tag',
  body: z.strictObject({
    tag: tag.min(1, 'channel_tag_empty'),
    new_tag: tag.nullish(),
    model_mapping: textMap(SETTING_MAX_LENGTH, 'channel_mapping_json').nullish(),
    groups: groupList.nullish(),
    models: trimmed(SETTING_MAX_LENGTH).transform(withCommas).nullish(),
    priority: priority.nullish(),
    weight: weight.nullish(),
    /** As the list of tags and `GET /api/channel/tag/models` had it. */
    was: was(
      z.object({
        models: z.string(),
        groups: z.string(),
        priority: z.number().nullable(),
        weight: z.number().nullable(),
      }),
    ),
  }),
  data: z.number(),
});

export const enableTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/enabled',
  access: 'admin',
  owner: 'any',
  summary: 'Enable every channel of a tag',
  body: tagOnly,
  data: nothing,
});

export const disableTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/disabled',
  access: 'admin',
  owner: 'any',
  summary: 'Disable every channel of a tag',
  body: tagOnly,
  data: nothing,
});

export const readTagModels = endpoint({
  method: 'GET',
  path: '/api/channel/tag/models',
  access: 'admin',
  owner: 'any',
  summary: 'The longest list of models among the channels of a tag, as a comma list',
  query: z.object({ tag: tag.default('') }),
  data: z.string(),
});
