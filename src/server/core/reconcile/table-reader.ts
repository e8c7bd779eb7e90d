import { unreadable } from './unreadable.ts';

/** One row of a file, with the line it begins at. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Longer ones are no rows of a bill: a quote that is never closed, or a file of another kind. */
const ROW_MAX_LENGTH = 65_536;
const CELLS_MAX = 300;
/** Some bills begin with lines about the account before the row of titles. */
const PREAMBLE_MAX_LINES = 50;

const DELIMITERS = [',', ';', '\t', '|'] as const;
const NAMED_DELIMITER = /^sep=(.)$/i;

const delimiterOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
};

/** The fields of a JSON object by name, those of objects in it as `outer.inner`. */
const flat = (value: object, before = ''): [string, string][] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, string][] => {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      return before === '' ? flat(inner, `${name}.`) : [];
    const isShown = typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean';
    return [[before + name, isShown ? String(inner) : '']];
  });

/** Rows of a CSV file or of JSON lines, read as the text arrives; memory is bounded by the longest row. */
export class TableReader {
  #text = '';
  #at = 0;
  #line = 1;
  #delimiter: string | undefined;
  #isJson: boolean | undefined;
  #header: readonly string[] | undefined;
  #places = new Map<string, number>();

  /** The titles of the columns; undefined until their row has arrived. */
  get header(): readonly string[] | undefined {
    return this.#header;
  }

  get isJson(): boolean {
    return this.#isJson === true;
  }

  get delimiter(): string | undefined {
    return this.#delimiter;
  }

  /** The rows that this text completes, without the titles. */
  *add(text: string, which: 'more' | 'last' = 'more'): Generator<TableRow> {
    const isLast = which === 'last';
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    this.#isJson ??= this.#firstIsJson();
    for (;;) {
      const line = this.#line;
      const cells = this.#isJson === true ? this.#jsonRow(isLast) : this.#csvRow(isLast);
      if (cells === undefined) break;
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (this.#header !== undefined) yield { line, cells };
      else this.#readTitles(cells, line);
    }
    if (isLast && this.#header === undefined) throw unreadable('reconcile_no_header');
  }

  #firstIsJson(): boolean | undefined {
    const first = this.#text.trimStart()[0];
    if (first === '[') throw unreadable('reconcile_json_list');
    return first === undefined ? undefined : first === '{';
  }

  #readTitles(cells: readonly string[], line: number): void {
    const titles = cells.map((cell) => cell.trim());
    if (titles.filter((title) => title !== '').length >= 2) this.#header = titles;
    else if (line > PREAMBLE_MAX_LINES) throw unreadable('reconcile_no_header');
    else this.#delimiter = undefined;
  }

  /** The next line without its end; undefined until it is complete. */
  #nextLine(isLast: boolean): string | undefined {
    const found = this.#text.indexOf('\n', this.#at);
    if ((found === -1 ? this.#text.length : found) - this.#at > ROW_MAX_LENGTH)
      throw unreadable('reconcile_long_line', { line: this.#line });
    if (found === -1 && (!isLast || this.#at >= this.#text.length)) return undefined;
    const end = found === -1 ? this.#text.length : found;
    const line = this.#text.slice(this.#at, end);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #passLine(): void {
    const found = this.#text.indexOf('\n', this.#at);
    this.#at = found === -1 ? this.#text.length : found + 1;
    this.#line += 1;
  }

  #jsonRow(isLast: boolean): readonly string[] | undefined {
    const text = this.#nextLine(isLast);
    if (text === undefined) return undefined;
    const line = this.#line;
    this.#passLine();
    if (text.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw unreadable('reconcile_bad_json', { line });
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw unreadable('reconcile_bad_json', { line });
    const fields = flat(value);
    if (this.#header === undefined) {
      this.#header = fields.map(([name]) => name);
      this.#checkWidth(this.#header, line);
      for (const [at, name] of this.#header.entries()) this.#places.set(name, at);
    }
    const cells = this.#header.map(() => '');
    for (const [name, cell] of fields) {
      const place = this.#places.get(name);
      if (place !== undefined) cells[place] = cell;
    }
    return cells;
  }

  #csvRow(isLast: boolean): readonly string[] | undefined {
    const text = this.#nextLine(isLast);
    if (text === undefined) return undefined;
    const named = this.#line === 1 ? NAMED_DELIMITER.exec(text) : null;
    if (named !== null) {
      this.#delimiter = named[1];
      this.#passLine();
      return [];
    }
    // A blank line before the titles does not tell the delimiter.
    if (text.trim() === '') {
      this.#passLine();
      return [];
    }
    const delimiter = (this.#delimiter ??= delimiterOf(text));
    if (text.includes('"')) return this.#quotedRow(delimiter, isLast);
    const cells = text.split(delimiter);
    this.#checkWidth(cells, this.#line);
    this.#passLine();
    return cells;
  }

  /** A row that has quotes, which may hide line breaks. */
  #quotedRow(delimiter: string, isLast: boolean): readonly string[] | undefined {
    const text = this.#text;
    const cells: string[] = [];
    let at = this.#at;
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        const closed = this.#quotedCell(at, isLast);
        if (closed === undefined) return undefined;
        ({ cell, at } = closed);
      } else {
        const start = at;
        while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1;
        const isEnd = at >= text.length || text[at] === '\n';
        cell = text.slice(start, isEnd && text[at - 1] === '\r' ? at - 1 : at);
      }
      if (at >= text.length && !isLast) return undefined;
      const isEnd = at >= text.length || text[at] === '\n';
      cells.push(cell);
      at += 1;
      if (isEnd) break;
    }
    this.#checkWidth(cells, this.#line);
    this.#line += Math.max(1, text.slice(this.#at, at).split('\n').length - 1);
    this.#at = Math.min(at, text.length);
    return cells;
  }

  /** The text in quotes, and where what follows them begins; undefined until the quotes are closed. */
  #quotedCell(start: number, isLast: boolean): { readonly cell: string; readonly at: number } | undefined {
    const text = this.#text;
    let cell = '';
    let at = start + 1;
    for (;;) {
      const quote = text.indexOf('"', at);
      const end = quote === -1 ? text.length : quote;
      if (end - this.#at > ROW_MAX_LENGTH || (quote === -1 && isLast))
        throw unreadable('reconcile_open_quote', { line: this.#line });
      // What follows the last quote of the text decides whether it closes.
      if (quote === -1 || (quote === text.length - 1 && !isLast)) return undefined;
      cell += text.slice(at, quote);
      at = quote + 1;
      if (text[at] !== '"') break;
      cell += '"';
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (at < text.length && text[at] !== '\n' && text[at] !== this.#delimiter)
      throw unreadable('reconcile_open_quote', { line: this.#line });
    return { cell, at };
  }

  #checkWidth(cells: readonly string[], line: number): void {
    if (cells.length > CELLS_MAX) throw unreadable('reconcile_wide_row', { line, most: CELLS_MAX });
  }
}
