import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Where this file is: among the sources, or in the bundle. */
const FOLDER = new URL('.', import.meta.url).href;
const PLACE = new RegExp(`${RegExp.escape(FOLDER)}([\\w.-]+\\.js):(\\d+):(\\d+)`, 'g');

const sourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() });

/** A place in a file, both numbers from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

interface Origin extends Place {
  /** Its number in the map's list. */
  readonly source: number;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitOf = new Uint8Array(128);
for (const [digit, letter] of LETTERS.split('').entries()) digitOf[letter.charCodeAt(0)] = digit;
const [COMMA, SEMICOLON] = [','.charCodeAt(0), ';'.charCodeAt(0)];

/**
 * The origins of places in a bundled file: of each that of the last segment of its line that begins at or before it. Reads
 * the mappings once and keeps nothing, where Node would keep 30 MB for as long as the process runs. Source: ECMA-426.
 */
export const originsIn = <Wanted extends Place>(
  mappings: string,
  places: readonly Wanted[],
): Map<Wanted, Origin> => {
  const origins = new Map<Wanted, Origin>();
  const last = Math.max(...places.map(({ line }) => line));
  // Of a segment: column, source, line and column in it, and name. Each number is told as a difference to the one before.
  const sums = [0, 0, 0, 0, 0];
  let [row, field, value, shift] = [0, 0, 0, 0];
  let inRow = places.filter((place) => place.line === row);
  for (let at = 0; at < mappings.length + 1 && row <= last; at += 1) {
    const letter = at === mappings.length ? SEMICOLON : mappings.charCodeAt(at);
    if (letter !== COMMA && letter !== SEMICOLON) {
      const digit = digitOf[letter] ?? 0;
      value += (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      sums[field] = (sums[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
      [field, value, shift] = [field + 1, 0, 0];
      continue;
    }
    const [start = 0, source = 0, line = 0, column = 0] = sums;
    for (const place of inRow) {
      if (field === 0 || start > place.column) continue;
      if (field < 4) origins.delete(place);
      else origins.set(place, { source, line, column });
    }
    field = 0;
    if (letter === COMMA) continue;
    row += 1;
    sums[0] = 0;
    inRow = places.filter((place) => place.line === row);
  }
  return origins;
};

interface Shown extends Place {
  /** As the trace has it. */
  readonly text: string;
}

/** The work this may be, and the memory, even if somebody writes such places into what is logged. */
const MOST_KNOWN = 500;
const known = new Map<string, string>();

/** Remembers what the places of one file are in the sources. */
const learn = (file: string, places: readonly Shown[]): void => {
  const url = `${FOLDER}${file}.map`;
  try {
    const { sources, mappings } = sourceMap.parse(JSON.parse(readFileSync(new URL(url), 'utf8')));
    for (const [{ text }, { source, line, column }] of originsIn(mappings, places))
      known.set(text, `${new URL(sources[source] ?? '', url).href}:${line + 1}:${column + 1}`);
  } catch {
    // Without a map, the place in the bundle is all there is to tell.
  }
};

const learnAll = (found: readonly RegExpExecArray[]): void => {
  for (const [file, places] of Map.groupBy(found, ([, name = '']) => name)) {
    for (const [place] of places) known.set(place, place);
    learn(
      file,
      places.map(([text, , line, column]) => ({ text, line: Number(line) - 1, column: Number(column) - 1 })),
    );
  }
};

/**
 * Names the places in our sources instead of those in the bundle, in the stack traces that a text holds. Node would do so for each
 * trace, and it makes one for every connection that breaks, although nobody reads it: this is for traces that are shown.
 */
export const inSources = (text: string): string => {
  const unknown = [...text.matchAll(PLACE)].filter(([place]) => !known.has(place));
  learnAll(unknown.slice(0, MOST_KNOWN - known.size));
  return text.replace(PLACE, (place) => known.get(place) ?? place);
};
