/** One JSON object of a reply, with the name of its event, if any. */
export interface Piece {
  readonly event: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const objects = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'object' && each !== null);

/** The objects of a reply in order. The reply is an event stream, JSON lines, a JSON list or a single object. */
export const piecesOf = (text: string): Piece[] => {
  const whole = jsonIn(text);
  if (whole !== undefined) return objects(whole).map((body) => ({ event: '', body }));
  const isEvents = /^(?:data|event|id|retry|):/m.test(text);
  const pieces: Piece[] = [];
  for (const block of isEvents ? text.split(/\r\n\r\n|\n\n|\r\r/) : text.split('\n')) {
    const lines = block.split(/\r\n|\n|\r/);
    const valuesOf = (name: string): string[] =>
      lines.flatMap((line) =>
        line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
      );
    const data = isEvents ? valuesOf('data').join('\n') : block;
    if (data.trim() === '[DONE]') break;
    const event = valuesOf('event').at(-1) ?? '';
    for (const body of objects(jsonIn(data))) pieces.push({ event, body });
  }
  return pieces;
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
