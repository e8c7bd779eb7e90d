import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { isForm, readForm, withFields } from './form.ts';

const TYPE = 'multipart/form-data; boundary=b0und';
const part = (head: string, value: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b0und\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--b0und--\r\n');

describe('a form', () => {
  test('reads as it was written, whatever its texts and files hold', () => {
    const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
    const fields = fc.dictionary(name, fc.string({ unit: 'grapheme', maxLength: 40 }), {
      maxKeys: 5,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(fields, fc.uint8Array({ maxLength: 200 }), (texts, file) => {
        const bytes = Buffer.concat([
          ...Object.entries(texts).map(([key, value]) => part(`name="${key}"`, value)),
          part('name="file"; filename="a \\" b.png"\r\nContent-Type: image/png', Buffer.from(file)),
          END,
        ]);
        const form = readForm(bytes, TYPE);
        expect(form.fields).toEqual(texts);
        expect(form.files).toHaveLength(1);
        expect(form.files[0]).toMatchObject({ name: 'file', mediaType: 'image/png' });
        expect(form.files[0]?.bytes.equals(Buffer.from(file))).toBe(true);
        const values = {
          model: 'other',
          new: 'x',
          ...Object.fromEntries(Object.keys(texts).map((key) => [key, 'y'])),
        };
        const changed = withFields(form, values);
        expect(readForm(changed, TYPE).fields).toEqual({ ...texts, ...values });
        expect(readForm(changed, TYPE).files[0]?.bytes.equals(Buffer.from(file))).toBe(true);
      }),
    );
  });

  test('a name that means something to objects is only a name', () => {
    const bytes = Buffer.concat([part('name="__proto__"', 'x'), part('name="model"', 'm'), END]);
    expect(Object.entries(readForm(bytes, TYPE).fields)).toEqual([
      ['__proto__', 'x'],
      ['model', 'm'],
    ]);
  });

  test.each<[string, string, Buffer]>([
    ['names no boundary', 'multipart/form-data', END],
    ['has another boundary', 'multipart/form-data; boundary=other', END],
    ['does not end', TYPE, part('name="a"', 'x').subarray(0, -2)],
    ['has a part without a name', TYPE, Buffer.concat([part('x="a"', 'x'), END])],
    [
      'has hundreds of parts',
      TYPE,
      Buffer.concat([...Array.from({ length: 300 }, (_, at) => part(`name="a${at}"`, '')), END]),
    ],
    [
      'names two models',
      TYPE,
      Buffer.concat([part('name="model"', 'cheap'), part('name="model"', 'dear'), END]),
    ],
  ])('that %s is refused', (_, type, bytes) => {
    expect(() => readForm(bytes, type)).toThrow(AppError);
  });

  test('is known by its type alone', () => {
    expect([isForm(TYPE), isForm('application/json'), isForm(undefined)]).toEqual([true, false, false]);
  });
});
