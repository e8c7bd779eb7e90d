import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesInMemory } from '#core/limits/spooled-bytes.ts';
import { AppError } from '#core/error.ts';
import { type Form, formIn, sentForm } from './form.ts';
import { FormScanner } from './form-scanner.ts';
import { formReaders, type ReadForm } from '../testing/form-readers.ts';

/** Every upstream reads a forwarded form as it was priced here, however its reader works. */

const PLAIN_TYPE = 'multipart/form-data; boundary=b0undary';
const oneOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
/** Mostly the first value, so that many forms have one oddity and few have several. */
const mostly = <Value>(plain: Value, ...odd: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 10 * odd.length, arbitrary: fc.constant(plain) },
    { weight: odd.length, arbitrary: oneOf(...odd) },
  );

const contentTypes = mostly(
  PLAIN_TYPE,
  'multipart/form-data; xboundary=evil; boundary=b0undary',
  'multipart/form-data; boundary=b0undary; boundary=evil',
  'multipart/form-data; boundary=evil; boundary=b0undary',
  'multipart/form-data; x="; boundary=evil"; boundary=b0undary',
  'multipart/form-data; boundary="b0undary"',
  'multipart/form-data; boundary="b0und\\ary"',
  'multipart/form-data; boundary=b0undary,evil',
  'multipart/form-data; boundary=b0undary; charset=utf-16',
  "multipart/form-data; boundary*=utf-8''evil; boundary=b0undary",
  'multipart/form-data; BOUNDARY=b0undary;',
  'multipart/form-data; boundary =b0undary',
  'multipart/form-data;boundary=b0undary',
  'Multipart/Form-Data; boundary=b0undary; charset=UTF-8',
);
const marks = mostly('b0undary', 'evil', 'b0undary ', 'b0undaryx', 'B0UNDARY');
const ends = mostly('\r\n', '\n', '\r', '\n\r\n');
const names = mostly(
  'model',
  'n',
  'size',
  'Model',
  'n[]',
  'model[0]',
  ' model',
  'mo\u017fel',
  'image[]',
  'image[0]',
  'image[1]',
  'x[type]',
  'x[size]',
  'x',
  'x',
);
const dispositions = names.chain((name) =>
  mostly(
    `Content-Disposition: form-data; name="${name}"`,
    `Content-Disposition: form-data; name=${name}`,
    `Content-Disposition: form-data; name="${name}"; name="n"`,
    `Content-Disposition: form-data; x="; name=n"; name="${name}"`,
    `Content-Disposition: form-data; name="${name}"; x="; name=n; "`,
    `Content-Disposition: form-data; xname="n"; name="${name}"`,
    `Content-Disposition: form-data; name*=utf-8''n; name="${name}"`,
    `Content-Disposition: form-data; name="${name}"; filename="a.png"`,
    `Content-Disposition: form-data; name="${name}"; filename=a.png; filename*=utf-8''a.png`,
    `Content-Disposition: form-data; name="${name}"; filename*=utf-8''a.png`,
    `Content-Disposition: form-data; name="${name}"; filename=""`,
    `Content-Disposition: form-data; name="${name}"; filename="a\\"; name=n; x=\\".png"`,
    `Content-Disposition: form-data; filename="a; name=n.png"; name="${name}"`,
    `Content-Disposition: form-data;\r\n name="${name}"`,
    `Content-Disposition: form-data; name="${name}"\r\nContent-Disposition: form-data; name="n"`,
    `Content-Disposition : form-data; name="${name}"`,
    `X: y\nContent-Disposition: form-data; name="n"\r\nContent-Disposition: form-data; name="${name}"`,
    `content-disposition:form-data;name="${name}"`,
    `Content-Disposition: attachment; name="${name}"`,
  ),
);
const moreHeads = mostly(
  '',
  'Content-Type: text/plain; charset=utf-8\r\n',
  'Content-Type: text/plain; charset=utf-16le\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: binary\r\nContent-Length: 1\r\n',
  'Content-Type: multipart/mixed; boundary=evil\r\n',
  'Content-Type: image/png\r\nContent-Type: text/plain\r\n',
  ' folded: yes\r\n',
);
const values = mostly(
  '1',
  '',
  'cheap\r\n--evil\r\nContent-Disposition: form-data; name="model"\r\n\r\ndear',
  'cheap\n--b0undary\nContent-Disposition: form-data; name="model"\n\ndear',
  'cheap\r\n--b0undary\r\nContent-Disposition: form-data; name="model"\r\n\r\ndear',
  'a\r\n\r\nb',
  '\u{FEFF}dear',
  'dear ',
  '\uD800',
  '--b0undary--',
);
const parts = fc
  .tuple(marks, ends, moreHeads, dispositions, ends, values, ends)
  .map(
    ([mark, first, more, head, second, value, last]) =>
      `--${mark}${first}${more}${head}\r\n${second}${value}${last}`,
  );
const bodies = fc
  .tuple(
    mostly('', '\r\n', 'preamble\r\n', '--evil\r\n'),
    fc.array(parts, { minLength: 1, maxLength: 4 }),
    mostly(
      '--b0undary--\r\n',
      '--b0undary--',
      '--b0undary-',
      '',
      '--b0undary-- \r\n',
      '--evil--',
      '--b0undary--\r\nmore',
    ),
  )
  .map(([before, each, after]) => Buffer.from(`${before}${each.join('')}${after}`));

/** Our own reading, in the readers' shape. */
const asRead = (form: Form, bytes: Buffer): ReadForm => {
  const texts: Record<string, string[]> = {};
  for (const { name, filename, start, end } of form.parts)
    if (filename === undefined) (texts[name] ??= []).push(bytes.toString('utf8', start, end));
  return { texts, files: form.files.map(({ name }) => name) };
};

const orRefused = (contentType: string, bytes: Buffer): Form | undefined => {
  try {
    return formIn(bytes, contentType);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'invalid_request') throw thrown;
    return undefined;
  }
};

const expectOneReading = async (contentType: string, body: Buffer, expected: ReadForm): Promise<void> => {
  for (const [name, read] of Object.entries(formReaders))
    expect({ name, ...(await read(contentType, body)) }).toEqual({ name, ...expected });
};

test('every reader finds in the form we send what was read here, or it was refused', async () => {
  let [taken, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(contentTypes, bodies, async (contentType, bytes) => {
      const form = orRefused(contentType, bytes);
      if (form === undefined) return void (refused += 1);
      taken += 1;
      const sent = sentForm(form, {}, '0f0f0f0f-nobody-knows');
      const body = Buffer.concat(await Array.fromAsync(sent.body.pieces()));
      expect(body.length).toBe(sent.body.length);
      await expectOneReading(sent.contentType, body, asRead(form, bytes));
    }),
    { numRuns: 4000 },
  );
  expect(taken).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(200);
});

/** Whether the line break before its end belongs to the empty line or to the boundary, readers do not agree. */
const EMPTY_WITHOUT_A_LINE = Buffer.from(
  '--b0undary\r\nContent-Disposition: form-data; name="n"\r\n\r\n--b0undary--\r\n',
);

test('so it is with a form that goes out while it still comes', async () => {
  let taken = 0;
  const file = `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${'s'.repeat(200)}`;
  const model = '--b0undary\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper\r\n';
  await fc.assert(
    fc.asyncProperty(contentTypes, values, bodies, async (contentType, inside, tail) => {
      const begin = Buffer.from(`${model}${file}`);
      const bytes = Buffer.concat([begin, Buffer.from(`${inside}\r\n`), tail]);
      let sent: ReturnType<typeof sentForm>;
      let form: Form;
      try {
        const scanner = new FormScanner(contentType);
        scanner.push(begin);
        scanner.push(bytes.subarray(begin.length, begin.length + 9));
        const soFar = scanner.soFar(bytes.length);
        if (soFar === undefined) return;
        const spooled = bytesInMemory(bytes);
        sent = sentForm(
          { ...soFar, spooled, whole: new Promise(() => undefined) },
          { model: 'other' },
          'unused',
        );
        scanner.push(bytes.subarray(begin.length + 9));
        form = { ...scanner.end(), spooled };
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        return;
      }
      taken += 1;
      const body = Buffer.concat(await Array.fromAsync(sent.body.pieces()));
      expect(body.length).toBe(sent.body.length);
      const { texts, files } = asRead(form, bytes);
      await expectOneReading(sent.contentType, body, { texts: { ...texts, model: ['other'] }, files });
    }),
    { numRuns: 4000, examples: [[PLAIN_TYPE, '1', EMPTY_WITHOUT_A_LINE]] },
  );
  expect(taken).toBeGreaterThan(20);
});
