import type { UseFormReturnType } from '@mantine/form';
import type { ChannelValues } from './channel-form.ts';
import type { Channel } from './channel.ts';

export type ChannelFormState = UseFormReturnType<ChannelValues>;

/** What each part of the form gets. */
export interface ChannelFieldsProps {
  readonly form: ChannelFormState;
  /** The saved channel; undefined for a new one. */
  readonly before?: Channel | undefined;
}
