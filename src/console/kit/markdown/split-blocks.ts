/** A markdown text, split into blocks. Finished blocks never change while more text arrives. */
export interface Blocks {
  readonly finished: readonly string[];
  /** The block that is still being written. */
  readonly open: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_OR_INDENT = /^(\s+\S|[-*+] |\d+[.)] )/;

/** Splits at blank lines outside code fences; a list with its indented content stays one block. */
export const splitBlocks = (text: string): Blocks => {
  const finished: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;

  for (const line of text.split('\n')) {
    const isBoundary =
      fence === undefined && block.at(-1)?.trim() === '' && line.trim() !== '' && !continues(block, line);
    if (isBoundary) {
      finished.push(block.join('\n'));
      block = [];
    }
    block.push(line);
    fence = fenceAfter(fence, line);
  }
  return { finished, open: block.join('\n') };
};

const continues = (block: readonly string[], line: string): boolean =>
  LIST_OR_INDENT.test(block[0] ?? '') && LIST_OR_INDENT.test(line);

const fenceAfter = (fence: string | undefined, line: string): string | undefined => {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  const isClosing = mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
  return isClosing ? undefined : fence;
};
