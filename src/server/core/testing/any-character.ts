import fc from 'fast-check';

/** How many halves of pairs there are; none of them is a character by itself. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

const anyOfAll = fc
  .integer({ min: 0, max: 0x10_ffff - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES));

/**
 * Any character there is, and often the first or the last of those that take as many bytes. The library's own list of all
 * characters takes seconds to make where the machine is busy.
 */
export const anyCharacter = fc.oneof(
  { weight: 3, arbitrary: anyOfAll },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\0',
      'a',
      '"',
      '\\',
      '\x7f',
      '\x80',
      '\u07ff',
      '\u0800',
      '\uffff',
      '\u{10000}',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)) },
);
