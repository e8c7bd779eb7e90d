import { type Fields, fieldsOf, textOf } from '#core/json/fields.ts';
import { cannot } from './cannot.ts';
import { dataUrl, filesOf } from './form-files.ts';

/** The fields of a JSON body with pictures to work on. */
export const PICTURE_FIELDS = ['image', 'images'] as const;

/**
 * The addresses of the pictures to work on, those of a form as `data:` URLs. Throws `invalid_request` for a mask, and for
 * what is neither an address nor bytes.
 */
export const picturesOf = (body: Fields): readonly string[] => {
  const files = filesOf(body) ?? [];
  if (files.some(({ name }) => name === 'mask') || (body['mask'] ?? null) !== null)
    throw cannot('mask', 'this upstream takes no mask');
  const given = PICTURE_FIELDS.flatMap((name) => {
    const value: unknown = body[name] ?? [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.map((picture) => addressOf(picture, name));
  });
  return [...files.map(dataUrl), ...given];
};

/** Clients write an address or bytes, or an object that has them. */
const addressOf = (picture: unknown, field: string): string => {
  const { url, image_url: address } = fieldsOf(picture);
  const text = [picture, url, address, fieldsOf(address)['url']].map(textOf).find((one) => one !== undefined);
  if (text === undefined || text === '')
    throw cannot(field, 'a picture is an address, or its bytes in base64');
  return /^(?:https?|data):/i.test(text) ? text : `data:image/png;base64,${text}`;
};
