/**
 * Writes a PDF of text and lines on A4 pages. Latin text uses Helvetica, all other text a Chinese font: readers have
 * both or replace them, so the file contains no font (ISO 32000-1, 9.6.2.2 and 9.7.5.2). The same calls produce the
 * same bytes, and all of them are ASCII.
 */

const WIDTH = 595;
const HEIGHT = 842;
export const MARGIN = 48;
export const RIGHT = WIDTH - MARGIN;
const TOP = HEIGHT - MARGIN;
const BOTTOM = MARGIN + 24;

/**
 * The widths of Helvetica's characters from the space to `~`, in thousandths of the font size. Source: Adobe Core 14
 * AFM.
 */
const LATIN_WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const OTHER_LATIN_WIDTH = 600;
const FULL_WIDTH = 1000;
/** Bold letters are wider; digits are not, so that they align. */
const BOLD = 1.08;
const LETTER = /\p{L}/u;
const SPACE = 0x20;
const TILDE = 0x7e;
const LATIN_FROM = 0xa0;
const LATIN_TO = 0xff;
const PLANE_END = 0xffff;

const isLatin = (code: number): boolean =>
  (code >= SPACE && code <= TILDE) || (code >= LATIN_FROM && code <= LATIN_TO);

/** Splits a text into printable characters; control characters are left out. */
const shownCharacters = (text: string): string[] =>
  Array.from(text.normalize('NFC'), (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < SPACE || (code > TILDE && code < LATIN_FROM)) return ' ';
    return code > PLANE_END ? '?' : character;
  });

const widthOf = (character: string): number => {
  const code = character.charCodeAt(0);
  if (!isLatin(code)) return FULL_WIDTH;
  return LATIN_WIDTHS[code - SPACE] ?? OTHER_LATIN_WIDTH;
};

const measure = (characters: readonly string[], size: number, bold = false): number =>
  (characters.reduce((sum, one) => sum + widthOf(one) * (bold && LETTER.test(one) ? BOLD : 1), 0) * size) /
  1000;

/** Breaks a text into lines no wider than this, in points. */
const wrap = (text: string, width: number, size: number): string[] => {
  const lines: string[] = [];
  let line: string[] = [];
  let used = 0;
  for (const character of shownCharacters(text)) {
    const more = measure([character], size);
    if (line.length > 0 && used + more > width) {
      const space = line.lastIndexOf(' ');
      const rest = space > 0 ? line.splice(space + 1) : [];
      lines.push(line.join('').trimEnd());
      line = rest;
      used = measure(rest, size);
    }
    line.push(character);
    used += more;
  }
  return [...lines, line.join('')];
};

const latinText = (run: string): string =>
  run.replaceAll(/[\\()\u00A0-\u00FF]/g, (character) => {
    const code = character.charCodeAt(0);
    return code > TILDE ? `\\${code.toString(8).padStart(3, '0')}` : `\\${character}`;
  });

const hexText = (run: string): string =>
  Array.from(run, (character) => character.charCodeAt(0).toString(16).padStart(4, '0')).join('');

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly grey?: boolean;
}

interface Cell extends Style {
  readonly text: string;
  /** Where the text begins, or ends if `atEnd`, in points from the left. */
  readonly x: number;
  readonly atEnd?: boolean;
  /** Longer text wraps. */
  readonly width?: number;
}

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** The PDF operators that draw a cell's text at height `y`. */
const drawn = ({ text, x, atEnd, size = 9, bold = false, grey = false }: Cell, y: number): string => {
  const characters = shownCharacters(text);
  const left = atEnd === true ? x - measure(characters, size, bold) : x;
  const runs =
    characters.join('').match(/[\u0020-\u007E\u00A0-\u00FF]+|[^\u0020-\u007E\u00A0-\u00FF]+/g) ?? [];
  const shown = runs.map((run) =>
    isLatin(run.charCodeAt(0))
      ? `/${bold ? 'B' : 'L'} ${size} Tf (${latinText(run)}) Tj`
      : `/C ${size} Tf <${hexText(run)}> Tj`,
  );
  return `BT ${grey ? '0.4 g' : '0 g'} ${number(left)} ${number(y)} Td ${shown.join(' ')} ET`;
};

/** Pages filled from top to bottom. */
export class PdfPages {
  readonly #pages: string[][] = [[]];
  #y = TOP;
  readonly #title: string;

  constructor(title: string) {
    this.#title = title;
  }

  /** Adds one line of cells; a cell that wraps makes it higher. */
  row(cells: readonly Cell[], height = 14): void {
    const wrapped = cells.map((cell) =>
      cell.width === undefined ? [cell.text] : wrap(cell.text, cell.width, cell.size ?? 9),
    );
    const lines = Math.max(...wrapped.map(({ length }) => length));
    this.#need(lines * height);
    for (let at = 0; at < lines; at += 1) {
      this.#y -= height;
      for (const [index, cell] of cells.entries()) {
        const text = wrapped[index]?.[at];
        if (text !== undefined) this.#pages.at(-1)?.push(drawn({ ...cell, text }, this.#y));
      }
    }
  }

  rule(): void {
    this.#y -= 4;
    this.#pages.at(-1)?.push(`0.8 G 0.5 w ${MARGIN} ${number(this.#y)} m ${RIGHT} ${number(this.#y)} l S`);
  }

  space(points: number): void {
    this.#y -= points;
  }

  /** Starts a new page unless this many points are left on the current one. */
  keep(points: number): void {
    this.#need(points);
  }

  #need(points: number): void {
    if (this.#y - points >= BOTTOM) return;
    this.#pages.push([]);
    this.#y = TOP;
  }

  /** The finished file, piece by piece. Page numbers are at the foot, beside `foot`. */
  *pieces(foot: string): Generator<string, void> {
    const count = this.#pages.length;
    const texts = this.#pages.map((drawnParts, at) => {
      const page = `${at + 1} / ${count}`;
      return (): string =>
        [
          ...drawnParts,
          drawn({ text: foot, x: MARGIN, size: 7, grey: true }, MARGIN),
          drawn({ text: page, x: RIGHT, atEnd: true, size: 7, grey: true }, MARGIN),
        ].join('\n');
    });
    yield* fileOf(texts, this.#title);
  }
}

const FONTS = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-UniGB-UCS2-H /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) ' +
    '/Supplement 4 >> /DW 1000 /FontDescriptor 7 0 R >>',
  '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 ' +
    '/Descent -120 /CapHeight 880 /StemV 93 >>',
];
const FIRST_PAGE = 9;

/** Objects: 1 catalogue, 2 pages, 3 to 7 fonts, 8 information, then each page and its text. */
function* fileOf(pages: readonly (() => string)[], title: string): Generator<string, void> {
  const kids = pages.map((_, at) => `${FIRST_PAGE + 2 * at} 0 R`).join(' ');
  const fonts = '/Font << /L 3 0 R /B 4 0 R /C 5 0 R >>';
  const places: string[] = [];
  const head = '%PDF-1.4\n';
  let length = head.length;
  const object = (content: string): string => {
    places.push(`${String(length).padStart(10, '0')} 00000 n \n`);
    const text = `${places.length} 0 obj\n${content}\nendobj\n`;
    length += text.length;
    return text;
  };
  const first = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    ...FONTS,
    `<< /Title <feff${hexText(title)}> >>`,
  ];
  yield head + first.map(object).join('');
  for (const [at, write] of pages.entries()) {
    const text = write();
    yield (
      object(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << ${fonts} >> ` +
          `/Contents ${FIRST_PAGE + 2 * at + 1} 0 R >>`,
      ) + object(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`)
    );
  }
  const size = places.length + 1;
  yield (
    `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}` +
    `trailer\n<< /Size ${size} /Root 1 0 R /Info 8 0 R >>\nstartxref\n${length}\n%%EOF\n`
  );
}
