import './channel-form.css';
import { useForm } from '@mantine/form';
import { useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { createChannel, readChannel, updateChannel } from '#contract/api/channels/channels.ts';
import { EditDrawer } from '../../../kit/drawers/edit-drawer.tsx';
import { useRefusal } from '../../../kit/drawers/use-refusal.ts';
import { FormDrawer, FormSection } from '../../../kit/drawers/form-drawer.tsx';
import { useSections } from '../../../kit/drawers/use-sections.ts';
import { showFirstError } from '../../../lib/browser/show-first-error.ts';
import { call } from '../../../lib/server/api.ts';
import { saveOver } from '../../../lib/server/changed-meanwhile.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { CostSection } from './cost/cost-section.tsx';
import { BasicFields } from './basic-fields.tsx';
import {
  createBody,
  keyCount,
  makesPool,
  newChannel,
  updateBody,
  valuesOf,
  type ChannelValues,
} from './channel-form.ts';
import type { ChannelFormState } from './channel-fields.ts';
import { CHANNEL_TAGS, CHANNELS, type Channel } from '../channel.ts';
import { ModelFields } from './model-fields.tsx';
import { RoutingFields } from './routing-fields.tsx';
import { TryOut } from './try-out.tsx';
import { validateChannel } from './validate-channel.ts';

interface ChannelDrawerProps {
  /** The channel to edit; `new` starts with an empty form. */
  readonly from: number | 'new';
  readonly onClose: () => void;
}

/** The drawer that creates or edits a channel. */
const ChannelDrawer = ({ from, onClose }: ChannelDrawerProps) => {
  const { t } = useTranslation('channels');
  return (
    <EditDrawer
      name="channel"
      id={from}
      title={t('title')}
      read={(known, signal) => call(readChannel, { params: { id: known } }, signal)}
      onClose={onClose}
      form={(before) => <ChannelForm before={before} onClose={onClose} />}
    />
  );
};

const SECTIONS = 5;

/**
 * The form for each of its parts: at once for the one with the focus, in which somebody types, and for the others as soon as there
 * is time. Drawn with every letter, the whole form would delay it.
 */
const useParts = (form: ChannelFormState) => {
  const later = useDeferredValue(form);
  const [current, setCurrent] = useState(0);
  return {
    form: (at: number): ChannelFormState => (at === current ? form : later),
    enter: (at: number) => (): void => setCurrent(at),
  };
};

interface ChannelFormProps {
  /** The saved channel; undefined for a new one. */
  readonly before: Channel | undefined;
  readonly onClose: () => void;
}

const ChannelForm = ({ before, onClose }: ChannelFormProps) => {
  const { t } = useTranslation('channel-more');
  const newest = useRef(before);
  const sections = useSections(SECTIONS);
  const form = useForm<ChannelValues>({
    initialValues: before === undefined ? newChannel : valuesOf(before),
    validate: (values) => validateChannel(values, before, t),
  });
  const part = useParts(form);
  const save = useAction({
    run: async (values: ChannelValues) => {
      if (before === undefined) await call(createChannel, { body: createBody(values) });
      else
        await saveOver(
          newest,
          (shown = before) => call(updateChannel, { body: updateBody(before, values, shown) }),
          () => call(readChannel, { params: { id: before.id } }),
        );
      toast('ok', doneText(values));
    },
    refresh: [CHANNELS, CHANNEL_TAGS],
    quiet: true,
  });
  const doneText = (values: ChannelValues): string => {
    if (before !== undefined) return t('form.saved');
    const count = keyCount(values);
    return count > 1 && !makesPool(values) ? t('form.createdMany', { count }) : t('form.created');
  };
  const isSent = useRef(false);
  const send = (values: ChannelValues): void => {
    if (isSent.current) {
      toast('bad', t('form.sentTwice'));
      return onClose();
    }
    isSent.current = true;
    save.mutate(values, { onSuccess: onClose, onError: () => (isSent.current = false) });
  };
  const refusal = useRefusal(form, save.error, { group: 'groups', 'setting.proxy': 'proxy' });
  const submit = (): void => form.onSubmit(send, showFirstError)();

  return (
    <FormDrawer
      title={before === undefined ? t('form.create') : t('form.edit', { name: before.name })}
      onClose={onClose}
      onSubmit={submit}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      error={refusal}
      foot={<TryOut form={form} before={before} />}
      {...(before === undefined ? { saveLabel: t('form.submit') } : {})}
    >
      <FormSection title={t('form.section.basic')} onFocus={part.enter(0)}>
        <BasicFields form={part.form(0)} before={before} />
      </FormSection>
      {sections > 1 && (
        <FormSection title={t('form.section.models')} onFocus={part.enter(1)}>
          <ModelFields form={part.form(1)} before={before} />
        </FormSection>
      )}
      {sections > 2 && (
        <FormSection title={t('form.section.routing')} onFocus={part.enter(2)}>
          <RoutingFields form={part.form(2)} />
        </FormSection>
      )}
      {sections > 3 && <CostSection form={part.form(3)} before={before} onFocus={part.enter(3)} />}
      {sections > 4 && <AdvancedFields form={part.form(4)} before={before} onFocus={part.enter(4)} />}
    </FormDrawer>
  );
};

export default ChannelDrawer;
