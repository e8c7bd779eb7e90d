const LINES = 40;

/**
 * Splits a text into runs of forty lines, which joined are the text again. The worker that colours code and the page that shows
 * it split it the same way.
 */
export const linesByRun = (text: string): readonly string[] => {
  const runs: string[] = [];
  let begin = 0;
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines % LINES !== 0) continue;
    runs.push(text.slice(begin, at + 1));
    begin = at + 1;
  }
  return [...runs, text.slice(begin)];
};
