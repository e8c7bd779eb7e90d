const LINES = 40;

/**
 * Text by runs of forty lines; joined they are the text. The worker that colours code and the page that shows it count the
 * same lines.
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
