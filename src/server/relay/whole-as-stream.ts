import type { Dialect } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';

/** A whole reply as the events of a stream, for upstreams that do not stream although they were asked to. */
export const wholeAsStream = (dialect: Dialect, body: unknown): Frame[] => {
  const writer = dialect.openWriter();
  const frames = dialect.readWhole(body).flatMap((event) => writer.write(event));
  return [...frames, ...writer.end()];
};
