import type { UseFormReturnType } from '@mantine/form';
import type { TokenValues } from './token-form.ts';

/** What each part of the form gets. */
export interface TokenFieldsProps {
  readonly form: UseFormReturnType<TokenValues>;
}
