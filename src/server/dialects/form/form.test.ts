import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { OutboundPieces } from '#core/outbound/outbound.ts';
import { type Form, formIn, isForm, loadFiles, sentForm } from './form.ts';
import { FormScanner } from './form-scanner.ts';

const TYPE = 'multipart/form-data; boundary=b0und';
const part = (head: string, value: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b0und\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--b0und--\r\n');

const collected = async ({ pieces, length }: OutboundPieces): Promise<Buffer> => {
  const all = Buffer.concat(await Array.fromAsync(pieces()));
  expect(all.length).toBe(length);
  return all;
};

/** Parses the form as the upstream gets it. */
const sentOn = async (form: Form, values: Readonly<Record<string, string>>): Promise<Form> => {
  const { contentType, body } = sentForm(form, values, 'n0body-knows');
  return formIn(await collected(body), contentType);
};

const scanned = (bytes: Buffer, cuts: readonly number[]): object => {
  const scanner = new FormScanner(TYPE);
  const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length];
  for (const [index, at] of places.entries()) scanner.push(bytes.subarray(at, places[index + 1] ?? at));
  return scanner.end();
};

describe('a form', () => {
  test('in pieces of a byte takes room for its texts and heads, about twice what they are', () => {
    let taken = 0;
    const scanner = new FormScanner(TYPE, { take: (bytes) => (taken += bytes) });
    const bytes = Buffer.concat([part('name="text"', 'x'.repeat(100_000)), END]);
    for (const byte of bytes) scanner.push(Buffer.from([byte]));
    expect(scanner.end().fields).toEqual({ text: 'x'.repeat(100_000) });
    expect(taken).toBeGreaterThan(100_000);
    expect(taken).toBeLessThan(201_000);
  });

  test('reads as it was written, whatever its texts and files hold', () => {
    const name = fc.stringMatching(/^x[a-z_]{0,8}$/);
    const fields = fc.dictionary(name, fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), {
      maxKeys: 5,
      noNullPrototype: true,
    });
    return fc.assert(
      fc.asyncProperty(fields, fc.uint8Array({ maxLength: 200 }), async (texts, file) => {
        const bytes = Buffer.concat([
          ...Object.entries(texts).map(([key, value]) => part(`name="${key}"`, value)),
          part('name="file"; filename="a \\" b.png"\r\nContent-Type: image/png', Buffer.from(file)),
          END,
        ]);
        const form = formIn(bytes, TYPE);
        expect(form.fields).toEqual(texts);
        expect(form.files).toHaveLength(1);
        expect(form.files[0]).toMatchObject({ name: 'file', mediaType: 'image/png' });
        expect((await loadFiles(form))[0]?.bytes.equals(Buffer.from(file))).toBe(true);
        const values = {
          model: 'other',
          new: 'x',
          ...Object.fromEntries(Object.keys(texts).map((key) => [key, 'y'])),
        };
        const changed = await sentOn(form, values);
        expect(changed.fields).toEqual({ ...texts, ...values });
        expect((await loadFiles(changed))[0]?.bytes.equals(Buffer.from(file))).toBe(true);
      }),
    );
  });

  test('reads the same wherever it is split', () => {
    const bytes = Buffer.concat([
      Buffer.from('\r\n'),
      part('name="prompt"', 'a cat\r\n--b0un\r\n-- in a boat'),
      part('name="empty"', ''),
      part('name="image[]"; filename="a.png"', Buffer.alloc(300, '\r\n--b0un')),
      part('name="image[]"; filename="b.png"', ''),
      part('name="model"', 'draw'),
      END,
      Buffer.from('\r\n'),
    ]);
    const whole = formIn(bytes, TYPE);
    expect(whole).toMatchObject({
      fields: { prompt: 'a cat\r\n--b0un\r\n-- in a boat', empty: '', model: 'draw' },
    });
    expect(whole.files.map(({ filename, start, end }) => [filename, end - start])).toEqual([
      ['a.png', 300],
      ['b.png', 0],
    ]);
    const { spooled: _, ...parts } = whole;
    const cuts = fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 12 });
    const everywhere = Array.from({ length: bytes.length }, (_each, at) => at);
    fc.assert(
      fc.property(cuts, (places) => {
        expect(scanned(bytes, places)).toEqual(parts);
      }),
      { examples: [[everywhere]] },
    );
  });

  test.each([
    ['numbered', ['image[0]', 'image[1]', 'image[10]']],
    ['under one name', ['image', 'image']],
    ['under the name of a list', ['image[]', 'image[]']],
  ])('several files come %s', (_, names) => {
    const bytes = Buffer.concat([
      ...names.map((name, at) => part(`name="${name}"; filename="${at}.png"`, 'x')),
      END,
    ]);
    expect(formIn(bytes, TYPE).files.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['a numbered list', 'kinds[0]', 'kinds[1]'],
    [
      'an object, as official clients send `chunking_strategy`,',
      'chunking_strategy[type]',
      'chunking_strategy[threshold]',
    ],
  ])('texts of %s come one by one', (_, one, other) => {
    const bytes = Buffer.concat([part(`name="${one}"`, 'a'), part(`name="${other}"`, 'b'), END]);
    expect(formIn(bytes, TYPE).fields).toEqual({ [one]: 'a', [other]: 'b' });
  });

  test.each([
    [['a[type]', 'a[size]', 'a[type]']],
    [['a[type]', 'a[Type]']],
    [['a[type]', 'A[size]']],
    [['a', 'a[type]']],
    [['a[0]', 'a[type]']],
    [['a[]', 'a[type]']],
    [['a[type]', 'a[0]']],
  ])('texts named %j are read in several ways, and refused', (names) => {
    const bytes = Buffer.concat([...names.map((name) => part(`name="${name}"`, 'x')), END]);
    expect(() => formIn(bytes, TYPE)).toThrow(/given twice/);
  });

  test.each([
    [['image[0]', 'image[1]', 'image[0]']],
    [['image[0]', 'image[0]']],
    [['image[0]', 'image[00]']],
    [['image[0]', 'Image[1]']],
    [['image', 'image[0]']],
    [['image[]', 'image[0]']],
    [['image[a]', 'image[b]']],
  ])('files named %j are read in several ways, and refused', (names) => {
    const bytes = Buffer.concat([...names.map((name) => part(`name="${name}"; filename="a.png"`, 'x')), END]);
    expect(() => formIn(bytes, TYPE)).toThrow(/given twice/);
  });

  test('a name that means something to objects is only a name', () => {
    const bytes = Buffer.concat([part('name="__proto__"', 'x'), part('name="model"', 'm'), END]);
    expect(Object.entries(formIn(bytes, TYPE).fields)).toEqual([
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
    ['has a text of a megabyte', TYPE, Buffer.concat([part('name="a"', 'x'.repeat(1024 * 1024 + 1)), END])],
    [
      'has many megabytes of text',
      TYPE,
      Buffer.concat([
        ...Array.from({ length: 9 }, (_, at) => part(`name="a${at}"`, 'x'.repeat(1000 * 1024))),
        END,
      ]),
    ],
    ['has a part with an endless head', TYPE, part('name="a"\r\nX-Y: '.padEnd(9000, 'y'), 'x')],
    [
      'names two models',
      TYPE,
      Buffer.concat([part('name="model"', 'cheap'), part('name="model"', 'dear'), END]),
    ],
  ])('that %s is refused', (_, type, bytes) => {
    expect(() => formIn(bytes, type)).toThrow(AppError);
  });

  test('is known by its type alone', () => {
    expect([isForm(TYPE), isForm('application/json'), isForm(undefined)]).toEqual([true, false, false]);
  });
});
