import type { LoadedFile } from '../../../dialects/form/form.ts';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';

/**
 * The files of a caller's form, for upstreams that take JSON instead (`formsAsJson`). Undefined where the caller sent no
 * form.
 */
export const filesOf = (body: Fields): readonly LoadedFile[] | undefined =>
  body['$files'] === undefined ? undefined : listOf(body['$files']).map(loaded);

const loaded = (file: unknown): LoadedFile => {
  if (!Buffer.isBuffer(fieldsOf(file)['bytes']))
    throw new Error('a file is not in memory: formsAsJson does not name this operation');
  return file as LoadedFile;
};

/** A file as a `data:` URL. */
export const dataUrl = ({ mediaType, bytes }: LoadedFile): string =>
  `data:${mediaType};base64,${bytes.toString('base64')}`;
