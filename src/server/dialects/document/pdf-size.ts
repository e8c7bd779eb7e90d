import { type inflater, Untold } from './inflate.ts';
import { PdfLetters } from './pdf-letters.ts';
import { type PdfObject, pdfObjects, unpacked } from './pdf-objects.ts';

/** What a document has for a model to read. */
export interface PagesAndLetters {
  readonly pages: number;
  /** Bytes of the texts that are shown on them; a digit has a token of its own, and counts as two. */
  readonly letters: number;
}

/** More than any model reads. */
const MOST = 1e9;
/** The characters that are read on the way from page to page: thousands of pages may name one list of thousands. */
const MOST_READ = 8_000_000;
/** What looking at an object takes, in characters, however short it is. */
const LOOK = 50;

const REFERENCE = /(\d{1,10})\s+\d{1,5}\s+R\b/g;

const references = (list: string): number[] =>
  [...list.matchAll(REFERENCE)].map(([, number]) => Number(number));

/** What a stream shows: bytes in `(…)` and `<…>`, and how often it draws another stream. */
interface Shown {
  readonly letters: number;
  readonly draws: number;
}

/** The file as a reader sees it: pages, and the streams that draw them. */
class Pages {
  readonly #objects: ReadonlyMap<number, PdfObject[]>;
  readonly #inflate: ReturnType<typeof inflater>;
  readonly #sizes = new Map<number, PagesAndLetters>();
  readonly #shown = new Map<number, Shown>();
  readonly #letters = new PdfLetters();
  /** What one more drawing of another stream adds at most. */
  readonly #lettersOfDrawing: number;
  #left = MOST_READ;

  constructor(bytes: Buffer, inflate: ReturnType<typeof inflater>) {
    this.#inflate = inflate;
    this.#objects = pdfObjects(bytes, inflate);
    this.#learnLetters();
    this.#lettersOfDrawing = this.#ofDrawing();
  }

  size(): PagesAndLetters {
    let [pages, letters] = [0, 0];
    for (const root of this.#roots()) {
      const tree = this.#of(root);
      pages = Math.max(pages, tree.pages, this.#told(root));
      letters = Math.max(letters, tree.letters);
    }
    if (pages === 0) throw new Untold();
    return { pages, letters: Math.ceil(letters) };
  }

  /** Where a catalogue says that the tree of pages begins; older versions may say something else. */
  #roots(): ReadonlySet<number> {
    const roots = new Set<number>();
    for (const versions of this.#objects.values())
      for (const { text } of versions)
        for (const [root] of text.matchAll(/\/Pages\s+\d+\s+\d+\s+R\b/g))
          roots.add(Number(references(root)[0]));
    return roots;
  }

  /** How many pages a node says it has. */
  #told(node: number): number {
    const counts = (this.#objects.get(node) ?? []).map(({ text }) =>
      Number(/\/Count\s+(\d{1,9})/.exec(text)?.[1] ?? 0),
    );
    return Math.max(0, ...counts);
  }

  /** A page, or all below a node of the tree; one that is there several times counts as often. */
  #of(number: number): PagesAndLetters {
    const known = this.#sizes.get(number);
    if (known !== undefined) return known;
    // A node below itself ends there, as it does for readers.
    this.#sizes.set(number, { pages: 0, letters: 0 });
    let size: PagesAndLetters = { pages: 0, letters: 0 };
    for (const { text } of this.#objects.get(number) ?? []) {
      const one = text.includes('/Kids') ? this.#sum(this.#list(text, 'Kids')) : this.#page(text);
      size = { pages: Math.max(size.pages, one.pages), letters: Math.max(size.letters, one.letters) };
    }
    this.#sizes.set(number, size);
    return size;
  }

  #sum(kids: readonly number[]): PagesAndLetters {
    let [pages, letters] = [0, 0];
    for (const kid of kids) {
      const size = this.#of(kid);
      [pages, letters] = [Math.min(MOST, pages + size.pages), Math.min(MOST, letters + size.letters)];
    }
    return { pages, letters };
  }

  #page(text: string): PagesAndLetters {
    let letters = 0;
    for (const number of this.#list(text, 'Contents')) {
      const shown = this.#shownBy(number);
      letters += shown.letters + shown.draws * this.#lettersOfDrawing;
    }
    return { pages: 1, letters };
  }

  /** Throws `Untold` once more was read than a document of that size needs. */
  #look(text: string): string {
    this.#left -= text.length + LOOK;
    if (this.#left < 0) throw new Untold();
    return text;
  }

  /** The objects that a field names: one, several, or those of a list that stands elsewhere. */
  #list(text: string, field: string): readonly number[] {
    const value =
      new RegExp(`/${field}\\s*(\\[[^[\\]]*\\]|\\d+\\s+\\d+\\s+R)`).exec(this.#look(text))?.[1] ?? '';
    const named = references(value);
    if (value.startsWith('[')) return named;
    const elsewhere = named.flatMap((number) => this.#objects.get(number) ?? []);
    const lists = elsewhere.filter((one) => one.stream === undefined && /^\s*\[/.test(this.#look(one.text)));
    return lists.length > 0 ? lists.flatMap((one) => references(one.text)) : named;
  }

  #shownBy(number: number): Shown {
    let shown = this.#shown.get(number);
    if (shown !== undefined) return shown;
    shown = { letters: 0, draws: 0 };
    for (const version of this.#objects.get(number) ?? []) {
      const one = this.#shownIn(unpacked(version, this.#inflate));
      shown = { letters: Math.max(shown.letters, one.letters), draws: Math.max(shown.draws, one.draws) };
    }
    this.#shown.set(number, shown);
    return shown;
  }

  /** Streams that are drawn by others, up to three deep. Throws `Untold` where they may be deeper. */
  #ofDrawing(): number {
    let [letters, draws, drawers] = [0, 0, 0];
    for (const [number, versions] of this.#objects) {
      if (!versions.some(({ text }) => /\/Subtype\s*\/Form\b/.test(text))) continue;
      const shown = this.#shownBy(number);
      letters = Math.max(letters, shown.letters);
      draws = Math.max(draws, shown.draws);
      if (shown.draws > 0) drawers += 1;
    }
    if (letters === 0) return 0;
    if (drawers > 3 && draws > 1) throw new Untold();
    return Math.min(MOST, letters * (1 + draws + draws ** 2 + draws ** 3));
  }

  #shownIn(content: Buffer): Shown {
    return {
      letters: this.#letters.in(content),
      draws: content.toString('latin1').match(/\bDo\b/g)?.length ?? 0,
    };
  }

  #learnLetters(): void {
    const tables = new Set<number>();
    for (const versions of this.#objects.values())
      for (const { text } of versions)
        for (const [table] of text.matchAll(/\/ToUnicode\s+\d+\s+\d+\s+R/g))
          tables.add(references(table)[0] ?? 0);
    for (const table of tables)
      for (const version of this.#objects.get(table) ?? [])
        this.#letters.learn(unpacked(version, this.#inflate));
  }
}

/**
 * The pages and texts of a PDF. It reads all that any reader could take for them, so that no file has more than this says.
 * Throws `Untold` where that cannot be said.
 */
export const pdfSize = (bytes: Buffer, inflate: ReturnType<typeof inflater>): PagesAndLetters =>
  new Pages(bytes, inflate).size();
