/** A markdown text, split into blocks. */
export interface Blocks {
  readonly text: string;
  /**
   * The blocks in groups. Only the last block is still being written: the others, and full groups, stay the same while more
   * text arrives, so that they are not drawn again.
   */
  readonly groups: readonly (readonly string[])[];
  /** The state after the last complete line. */
  readonly read: Lines;
}

interface Lines {
  readonly finished: Blocks['groups'];
  /** The start of the block that is being written. */
  readonly begin: number;
  /** The start of the last, incomplete line. */
  readonly end: number;
  readonly fence: string | undefined;
  /** The kind of the block's first line, if there is one. */
  readonly first: 'list' | 'other' | undefined;
  readonly isAfterBlank: boolean;
}

const GROUP = 16;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_OR_INDENT = /^(\s+\S|[-*+] |\d+[.)] )/;

const NOTHING: Blocks = {
  text: '',
  groups: [],
  read: { finished: [], begin: 0, end: 0, fence: undefined, first: undefined, isAfterBlank: false },
};

/**
 * Splits at blank lines outside code fences; a list with its indented content stays one block.
 * @param before the result for the beginning of the same text: only the added text is read
 */
export const splitBlocks = (text: string, before: Blocks = NOTHING): Blocks => {
  let { read } = text.startsWith(before.text) ? before : NOTHING;
  for (let end = text.indexOf('\n', read.end); end !== -1; end = text.indexOf('\n', read.end))
    read = withLine(read, text, end);
  // Reads the incomplete line as if it ended here.
  const { finished, begin } = withLine(read, text, text.length);
  return { text, groups: withBlock(finished, text.slice(begin)), read };
};

const withLine = (read: Lines, text: string, end: number): Lines => {
  const line = text.slice(read.end, end);
  const isBlank = line.trim() === '';
  const isListed = LIST_OR_INDENT.test(line);
  const isBoundary =
    read.fence === undefined && read.isAfterBlank && !isBlank && !(read.first === 'list' && isListed);
  const isFirst = isBoundary || read.first === undefined;
  return {
    finished: isBoundary ? withBlock(read.finished, text.slice(read.begin, read.end - 1)) : read.finished,
    begin: isBoundary ? read.end : read.begin,
    end: end + 1,
    fence: fenceAfter(read.fence, line),
    first: isFirst ? (isListed ? 'list' : 'other') : read.first,
    isAfterBlank: isBlank,
  };
};

const withBlock = (groups: Blocks['groups'], block: string): Blocks['groups'] => {
  const last = groups.at(-1);
  return last === undefined || last.length === GROUP
    ? [...groups, [block]]
    : [...groups.slice(0, -1), [...last, block]];
};

const fenceAfter = (fence: string | undefined, line: string): string | undefined => {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  const isClosing = mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
  return isClosing ? undefined : fence;
};
