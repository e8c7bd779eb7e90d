import type { UseFormReturnType } from '@mantine/form';
import type { ChannelValues } from './channel-form.ts';
import type { Channel } from '../channel.ts';

export type ChannelFormState = UseFormReturnType<ChannelValues>;

/** The props of each section of the form. */
export interface ChannelFieldsProps {
  readonly form: ChannelFormState;
  /** The saved channel; undefined for a new one. */
  readonly before?: Channel | undefined;
}

/** The props of a folded section. */
export interface FoldedFieldsProps extends ChannelFieldsProps {
  /** Somebody begins to work in it. */
  readonly onFocus: () => void;
}
