import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { createChannel, readChannel, updateChannel } from '#contract/api/channels.ts';
import { FormDrawer, FormSection } from '../../kit/form-drawer.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useAction } from '../../lib/query.ts';
import { toast } from '../../lib/toasts.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { BasicFields } from './basic-fields.tsx';
import {
  createBody,
  keyCount,
  newChannel,
  updateBody,
  valuesOf,
  type ChannelValues,
} from './channel-form.ts';
import { CHANNELS, type Channel } from './channel.ts';
import { ModelFields } from './model-fields.tsx';
import { RoutingFields } from './routing-fields.tsx';
import { validateChannel } from './validate-channel.ts';

interface ChannelDrawerProps {
  /** The channel to edit; `new` starts with an empty form. */
  readonly from: number | 'new';
  readonly onClose: () => void;
}

/** Making and changing a channel. */
const ChannelDrawer = ({ from, onClose }: ChannelDrawerProps) => {
  const { t } = useTranslation('channel-more');
  const { t: channels } = useTranslation('channels');
  const query = useQuery({
    queryKey: ['channel', from],
    queryFn: ({ signal }) => call(readChannel, { params: { id: from } }, signal),
    enabled: from !== 'new',
    // A form is filled once, with what the server has now.
    staleTime: 0,
    gcTime: 0,
  });
  if (from === 'new') return <ChannelForm title={t('form.create')} initial={newChannel} onClose={onClose} />;
  if (query.data === undefined || query.isFetching) {
    return (
      <FormDrawer
        title={channels('title')}
        isOpen
        onClose={onClose}
        onSubmit={() => undefined}
        isDirty={false}
        isSaving={false}
      >
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          Array.from({ length: 6 }, (_, at) => (
            <Skeleton key={at} height={at % 2 === 0 ? 14 : 34} width={at % 2 === 0 ? 120 : '100%'} />
          ))
        )}
      </FormDrawer>
    );
  }
  const channel = query.data;
  const { name } = channel;
  return (
    <ChannelForm
      title={t('form.edit', { name })}
      before={channel}
      initial={valuesOf(channel)}
      onClose={onClose}
    />
  );
};

interface ChannelFormProps {
  readonly title: string;
  /** The saved channel; undefined for a new one. */
  readonly before?: Channel;
  readonly initial: ChannelValues;
  readonly onClose: () => void;
}

const ChannelForm = ({ title, before, initial, onClose }: ChannelFormProps) => {
  const { t } = useTranslation('channel-more');
  const form = useForm<ChannelValues>({
    initialValues: initial,
    validate: (values) => validateChannel(values, before, t),
  });
  const save = useAction({
    run: async (values: ChannelValues) => {
      if (before === undefined) await call(createChannel, { body: createBody(values) });
      else await call(updateChannel, { body: updateBody(before, values) });
      toast('ok', doneText(values));
    },
    refresh: [CHANNELS],
    quiet: true,
  });
  const doneText = (values: ChannelValues): string => {
    if (before !== undefined) return t('form.saved');
    const count = keyCount(values);
    return count > 1 ? t('form.createdMany', { count }) : t('form.created');
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
  const submit = (): void => form.onSubmit(send, showFirstError)();

  return (
    <FormDrawer
      title={title}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      error={save.isError ? messageOf(save.error) : undefined}
      {...(before === undefined ? { saveLabel: t('form.submit') } : {})}
    >
      <FormSection title={t('form.section.basic')}>
        <BasicFields form={form} before={before} />
      </FormSection>
      <FormSection title={t('form.section.models')}>
        <ModelFields form={form} before={before} />
      </FormSection>
      <FormSection title={t('form.section.routing')}>
        <RoutingFields form={form} />
      </FormSection>
      <AdvancedFields form={form} />
    </FormDrawer>
  );
};

/** The field with the first error may be scrolled away: bring it back and into focus. */
const showFirstError = (): void => {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>(
      '.drawer [aria-invalid=true], .drawer [data-error] input',
    );
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  }, 30);
};

export default ChannelDrawer;
