import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useRef } from 'react';
import { readTagModels } from '#contract/api/channels/channel-batch.ts';
import { CHANNEL_TAG_MAX_LENGTH } from '#contract/limits.ts';
import { lateSection } from '../../../kit/late-section.tsx';
import { MultiSelectField, TagsField } from '../../../kit/fields/list-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { useRefusal } from '../../../kit/drawers/use-refusal.ts';
import { FormDrawer } from '../../../kit/drawers/form-drawer.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { saveOver } from '../../../lib/server/changed-meanwhile.ts';
import { useTranslation, withTexts } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { CHANNEL_TAGS, CHANNELS, listOf } from '../channel.ts';
import { saveTag, type TagOfChannels } from '../channel-work.ts';
import { isTextMap } from '../form/validate-channel.ts';
import { useGroupNames, useKnownModels } from '../use-channel-filters.ts';

interface TagValues {
  readonly tag: string;
  readonly models: string[];
  readonly groups: string[];
  readonly mapping: string;
}

/** What the drawer was opened with; undefined until a save is refused. */
type Shown = { readonly models?: string | undefined; readonly groups?: string } | undefined;

const MappingField = lateSection(
  withTexts('channel-routing', () => import('../form/pairs/mapping-field.tsx')),
);

interface TagDrawerProps {
  readonly tag: TagOfChannels;
  readonly onClose: () => void;
}

/** Edits all channels of a tag at once. Empty fields are left unchanged. */
const TagDrawer = ({ tag, onClose }: TagDrawerProps) => {
  const { t } = useTranslation('channel-more');
  const known = useKnownModels();
  const groups = useGroupNames();
  const offered = useQuery({
    queryKey: [CHANNEL_TAGS, 'models', tag.tag],
    queryFn: () => call(readTagModels, { query: { tag: tag.tag } }),
  }).data;
  const modelChoices = useMemo(() => [...new Set([...listOf(offered ?? ''), ...known])], [offered, known]);
  const form = useForm<TagValues>({
    initialValues: { tag: tag.tag, models: [], groups: [], mapping: '' },
    validate: { mapping: (text) => (isTextMap(text) ? null : t('invalid.mapping')) },
  });
  const shown = useRef<Shown>(undefined);
  const save = useAction({
    run: (values: TagValues) =>
      saveOver(
        shown,
        (was = { models: offered, groups: tag.group }) =>
          saveTag({
            body: {
              tag: tag.tag,
              new_tag: values.tag.trim(),
              models: values.models.join(','),
              groups: values.groups.join(','),
              model_mapping: values.mapping.trim(),
              was,
            },
          }),
        // After a refusal, saving again replaces what others have changed.
        () => Promise.resolve({}),
      ),
    refresh: [CHANNEL_TAGS, CHANNELS],
    quiet: true,
  });
  const refusal = useRefusal(form, save.error, {
    new_tag: 'tag',
    model_mapping: 'mapping',
  });
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: (count) => {
        toast('ok', t('tags.saved', { count }));
        onClose();
      },
    }),
  );
  return (
    <FormDrawer
      title={t('tags.edit', { tag: tag.tag })}
      onClose={onClose}
      onSubmit={() => submit()}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      isInAddress={false}
      error={refusal}
    >
      <Notice tone="info">{t('tags.about')}</Notice>
      <TextField
        label={t('tags.name')}
        hint={t('tags.nameHint')}
        maxLength={CHANNEL_TAG_MAX_LENGTH}
        {...form.getInputProps('tag')}
      />
      <TagsField
        label={t('form.models')}
        placeholder={t('tags.unchanged')}
        choices={modelChoices}
        {...form.getInputProps('models')}
      />
      <MultiSelectField
        label={t('form.groups')}
        placeholder={t('tags.unchanged')}
        choices={groups}
        {...form.getInputProps('groups')}
      />
      <Suspense>
        <MappingField
          label={t('form.mapping')}
          hint={`${t('form.mappingHint')} · ${t('tags.unchanged')}`}
          models={listOf(offered ?? '')}
          {...form.getInputProps('mapping')}
        />
      </Suspense>
    </FormDrawer>
  );
};

export default TagDrawer;
