/** One piece of an answer, and the name of its event where it has one. */
export interface Piece {
  readonly event: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const objects = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'object' && each !== null);

/** The objects of an answer in their order: of an event stream, of lines of JSON, of a list, or the only one. */
export const piecesOf = (text: string): Piece[] => {
  const whole = jsonIn(text);
  if (whole !== undefined) return objects(whole).map((body) => ({ event: '', body }));
  const isEvents = /^(?:data|event|id|retry|):/m.test(text);
  const pieces: Piece[] = [];
  for (const block of isEvents ? text.split(/\r\n\r\n|\n\n|\r\r/) : text.split('\n')) {
    const lines = block.split(/\r\n|\n|\r/);
    const told = (name: string): string[] =>
      lines.flatMap((line) =>
        line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
      );
    const data = isEvents ? told('data').join('\n') : block;
    if (data.trim() === '[DONE]') break;
    const event = told('event').at(-1) ?? '';
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
