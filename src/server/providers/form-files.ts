import type { LoadedFile } from '../dialects/form.ts';
import { listOf, type Fields } from '../dialects/openai/fields.ts';

/**
 * The files of a call whose caller sent a form, for upstreams that read JSON instead (`formsAsJson`): a body without them
 * is sent as such. Undefined for calls that are no forms.
 */
export const filesOf = (body: Fields): readonly LoadedFile[] | undefined =>
  body['$files'] === undefined ? undefined : (listOf(body['$files']) as readonly LoadedFile[]);

export const dataUrl = ({ mediaType, bytes }: LoadedFile): string =>
  `data:${mediaType};base64,${bytes.toString('base64')}`;
