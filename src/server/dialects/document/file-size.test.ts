import { describe, expect, it } from 'vitest';
import { threadMs } from '#core/testing/thread-time.ts';
import { fileSize, fileTokens } from './file-size.ts';
import { mayTakeLong } from './inflate.ts';
import { pdfOf, zipOf } from './testing/documents.ts';

const sizeOf = (bytes: Buffer) =>
  fileSize(`data:application/octet-stream;base64,${bytes.toString('base64')}`);
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);

describe('a PDF has the pages and texts that a reader finds in it', () => {
  it.each([false, true])('as programs write it (packed: %s)', (isPacked) => {
    expect(sizeOf(pdfOf({ pages: 3, text: TEXT, isPacked }))).toEqual({ pages: 3, letters: 3 * TEXT.length });
  });

  it.each([false, true])('a thousand empty pages in some kilobytes (packed: %s)', (isPacked) => {
    const file = pdfOf({ pages: 1000, isPacked, isShared: true });
    expect(file.length).toBeLessThan(isPacked ? 20_000 : 200_000);
    expect(sizeOf(file)).toEqual({ pages: 1000, letters: 0 });
  });

  it('pages that share one text have it as often', () => {
    expect(sizeOf(pdfOf({ pages: 500, text: TEXT, isShared: true }))).toEqual({
      pages: 500,
      letters: 500 * TEXT.length,
    });
  });

  it('pages that are several times in the tree count as often', () => {
    const size = sizeOf(pdfOf({ pages: 2, text: TEXT, levels: 5 }));
    expect(size).toEqual({ pages: 200_000, letters: 200_000 * TEXT.length });
  });

  it('a tree that is told to have more pages has them', () => {
    const told = pdfOf({ pages: 2, more: '2 0 obj<</Type/Pages/Kids[1000 0 R]/Count 700>>endobj' });
    expect(sizeOf(told)?.pages).toBe(700);
  });

  it('a changed file has the most pages of its versions', () => {
    const kids = Array.from({ length: 5 }, () => '1000 0 R').join(' ');
    const changed = pdfOf({
      pages: 2,
      text: TEXT,
      more: `2 0 obj<</Type/Pages/Kids[${kids}]/Count 5>>endobj`,
    });
    expect(sizeOf(changed)).toEqual({ pages: 5, letters: 5 * TEXT.length });
  });

  it('a list of pages may stand elsewhere', () => {
    const more =
      '77 0 obj[1000 0 R 1001 0 R 1000 0 R]endobj 2 0 obj<</Type/Pages/Kids 77 0 R/Count 3>>endobj';
    expect(sizeOf(pdfOf({ pages: 2, text: TEXT, more }))?.pages).toBe(3);
  });

  it('a drawing with words counts as often as it is drawn', () => {
    const form =
      '300 0 obj<</Type/XObject/Subtype/Form/Length 50>>stream\nBT (abcdefghij) Tj ET\nendstream endobj';
    const page = '1000 0 obj<</Type/Page/Contents[301 0 R]>>endobj';
    const content = '301 0 obj<</Length 20>>stream\n/X Do /X Do /X Do\nendstream endobj';
    expect(sizeOf(pdfOf({ pages: 1, more: `${form}${page}${content}` }))).toEqual({ pages: 1, letters: 30 });
  });

  it('a letter of a font may stand for many', () => {
    const table = `400 0 obj<</Length 9>>stream\nbegincmap 1 beginbfchar <41> <${'0041'.repeat(100)}> endbfchar\nendstream endobj`;
    const font = '401 0 obj<</Type/Font/ToUnicode 400 0 R>>endobj';
    expect(sizeOf(pdfOf({ pages: 1, text: 'A'.repeat(50), more: table + font }))).toEqual({
      pages: 1,
      letters: 5000,
    });
  });

  const fontOf = (entries: string): string =>
    `400 0 obj<</Length 9>>stream\nbegincmap ${entries}\nendstream endobj 401 0 obj<</Type/Font/ToUnicode 400 0 R>>endobj`;

  it.each([
    ['a few letters each', '2 beginbfchar <41> <0066006600690020> <42> <0042> endbfchar', 'AAAB', 13],
    ['a letter that counts for more', '1 beginbfchar <41> <9F98> endbfchar', 'AB', 8],
    ['a range', '1 beginbfrange <41> <43> <0030> endbfrange', 'ABCD', 7],
    ['a list', '1 beginbfrange <41> <42> [<00410041> <00420042>] endbfrange', 'ABC', 5],
    ['codes of two bytes', '1 beginbfchar <4142> <00660066006900660066> endbfchar', 'ABABCD', 12],
    ['codes as numbers', '1 beginbfchar <41> <0066006600690020> endbfchar', '\\101B', 5],
  ])('by what its letters stand for, those that are shown: %s', (_, entries, text, letters) => {
    expect(sizeOf(pdfOf({ pages: 1, text, more: fontOf(entries) }))).toEqual({ pages: 1, letters });
  });

  it('texts in hexadecimal, in brackets and with escapes are counted', () => {
    const page = '1000 0 obj<</Type/Page/Contents 301 0 R>>endobj';
    const content = String.raw`301 0 obj<</Length 20>>stream
BT <00410042> Tj [(ab) -20 (c\)d(e))] TJ << /MCID 0 >> BDC ET
endstream endobj`;
    expect(sizeOf(pdfOf({ pages: 1, more: page + content }))?.letters).toBe(12);
  });
});

describe('what cannot be counted has no size', () => {
  it.each([
    ['an encrypted document', pdfOf({ pages: 1, more: 'trailer<</Encrypt 5 0 R>>' })],
    ['a document without pages', Buffer.from('%PDF-1.4\n%%EOF')],
    [
      'a document of streams that are packed in another way',
      pdfOf({
        pages: 1,
        more: '1000 0 obj<</Type/Page/Contents 5 0 R>>endobj 5 0 obj<</Filter/LZWDecode>>stream\nxx\nendstream endobj',
      }),
    ],
    [
      'a document whose texts unpack to more than anybody writes',
      pdfOf({ pages: 1, text: 'a'.repeat(40_000_000), isPacked: true }),
    ],
    [
      'a workbook, in which cells share their texts',
      zipOf({ 'xl/sharedStrings.xml': '<si><t>a</t></si>', 'word/document.xml': 'b' }),
    ],
    ['another archive', zipOf({ 'a.txt': TEXT })],
    ['a broken archive', zipOf({ 'word/document.xml': TEXT }).subarray(0, 60)],
    ['a film', Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom', 'latin1')],
  ])('%s', (_, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined();
  });
});

it('an office document has the words between its tags', () => {
  const xml = `<w:document>${`<w:p w:rsid="00AA"><w:t>${TEXT}</w:t></w:p>`.repeat(3)}</w:document>`;
  expect(
    sizeOf(
      zipOf({ '[Content_Types].xml': '<a/>', 'word/document.xml': xml, 'word/footnotes.xml': '<t>ab</t>' }),
    ),
  ).toEqual({
    pages: 0,
    letters: 3 * TEXT.length + 2,
  });
});

it('a text has its bytes, whatever it is called', () => {
  expect(sizeOf(Buffer.from('words '.repeat(100)))).toEqual({ pages: 0, letters: 600 });
});

it('a page counts as a picture and its words as words, and a file as no more than any model reads', () => {
  const ofPages = (model: string, pages: number) => fileTokens(model, { pages, letters: 1000 });
  // A page of text was measured as 1,619 and 561 tokens beside its words at these models.
  expect(ofPages('claude-opus-5-5', 1)).toEqual({ pictures: 2000, tokens: 2500 });
  expect(ofPages('gemini-3.1-pro', 1)).toEqual({ pictures: 1120, tokens: 1620 });
  expect(ofPages('gemini-2.5-pro', 1000)).toEqual({ pictures: 258_000, tokens: 258_500 });
  expect(ofPages('my-model', 1)).toEqual({ pictures: 2835, tokens: 3335 });
  expect(ofPages('gpt-4o', 3)).toEqual({ pictures: 3 * 1105, tokens: 3 * 1105 + 500 });
  expect(ofPages('claude-opus-5-5', 5000)).toEqual({ pictures: 1_048_576, tokens: 1_048_576 });
  expect(fileTokens('m', { pages: 0, letters: 0 })).toEqual({ pictures: 0, tokens: 0 });
});

it('is told in little time, whatever the file', () => {
  const chain = Array.from(
    { length: 20_000 },
    (_, n) => `${String(n + 1)} 0 obj<</Kids[${String(n + 2)} 0 R]>>endobj`,
  );
  const hostile: Buffer[] = [
    Buffer.from(`%PDF-1.4\n${'1 0 obj '.repeat(60_000)}`),
    Buffer.from(`%PDF-1.4\n${chain.join('\n')}1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj`),
    Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids${' '.repeat(400_000)}`),
    Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids${'['.repeat(400_000)}`),
    Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[${'1 '.repeat(200_000)}]>>endobj`,
    ),
    // Whatever is looked for, again and again without its end.
    ...[
      '/Kids[',
      '/Contents[',
      '/Contents[/Kids[',
      '/Pages 2 0 R ',
      '/Count ',
      '/Filter[',
      '/Filter /a ',
    ].map((word) =>
      Buffer.from(
        `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<<${word.repeat(60_000)}endobj`,
      ),
    ),
  ];
  const many = Array.from({ length: 20_000 }, (_, n) => n + 3);
  const names = many.map((n) => `${String(n)} 0 R`).join(' ');
  const all = (text: string): string => many.map((n) => `${String(n)} 0 obj<<${text}>>endobj `).join('');
  const root = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj ';
  const heads = many.map((n) => `${String(n)} ${n % 2 === 0 ? '0' : '300000'} `).join('');
  const overlapping = `${heads}${'/Pages 1 0 R '.repeat(25_000)}`;
  hostile.push(
    // Each page names the list of all, which stands elsewhere.
    Buffer.from(`${root}2 0 obj<</Kids 9 0 R>>endobj ${all('/Kids 2 0 R')}2 0 obj[${names}]endobj`),
    Buffer.from(`${root}2 0 obj<</Kids[${names}]>>endobj ${all('/Contents 1 0 R')}1 0 obj[${names}]endobj`),
    // Each version of a page names an object of as many versions.
    Buffer.from(
      `${root}${'2 0 obj<</Kids[2 0 R 3 0 R]>>endobj '.repeat(20_000)}${'3 0 obj<</Contents 2 0 R>>endobj '.repeat(20_000)}`,
    ),
    // Each object of a stream begins where the one before it did.
    Buffer.from(
      `${root}5 0 obj<</Type/ObjStm/First ${String(heads.length)}>>stream\n${overlapping}\nendstream endobj`,
    ),
  );
  const [tables, fonts] = [many.slice(0, 200), many.slice(200, 400)];
  hostile.push(
    // Each of many tables names every code; a text of nothing but escapes.
    Buffer.from(
      root +
        fonts.map((n, at) => `${String(n)} 0 obj<</ToUnicode ${String(tables[at])} 0 R>>endobj `).join('') +
        tables
          .map((n) => `${String(n)} 0 obj<<>>stream\nbeginbfrange <0000> <ffff> <4e00>\nendstream endobj `)
          .join(''),
    ),
    pdfOf({ pages: 1, text: '\\'.repeat(500_000) }),
    pdfOf({ pages: 1, text: `) Tj <${'4'.repeat(500_000)}> Tj (` }),
  );
  // Generous: a search of the whole file at each of its objects takes minutes.
  expect(threadMs(() => hostile.forEach(sizeOf))).toBeLessThan(5000);
});

it('is unpacked as far as calls can wait for it, and further in a thread that serves none', () => {
  // Not the same twice, so that it is packed to about a fortieth.
  const text = Array.from({ length: 200_000 }, (_, n) => `${String(n).padStart(6)}${' '.repeat(40)}`).join(
    '',
  );
  const long = pdfOf({ pages: 1, text, isPacked: true });
  expect(sizeOf(long)).toBeUndefined();
  mayTakeLong();
  const digits = text.replaceAll(' ', '').length;
  expect(sizeOf(long)).toEqual({ pages: 1, letters: text.length + digits });
  expect(sizeOf(pdfOf({ pages: 1, text: 'a'.repeat(40_000_000), isPacked: true }))).toBeUndefined();
});

it('a digit counts as two letters, in whatever file it is', () => {
  const digits = '0123456789'.repeat(30);
  const hex = `<${Buffer.from(digits).toString('hex')}>`;
  const slides = zipOf({ 'ppt/slides/slide1.xml': `<p>${digits}</p>` });
  for (const file of [
    pdfOf({ pages: 1, text: digits }),
    pdfOf({ pages: 1, text: `) Tj ${hex} Tj (` }),
    slides,
  ])
    expect(sizeOf(file)?.letters).toBe(600);
  const text = sizeOf(Buffer.from(digits))?.letters;
  expect(text).toBeGreaterThanOrEqual(600);
  expect(text).toBeLessThan(640);
});
