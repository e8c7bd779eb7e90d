import type { Form } from '../dialects/form.ts';
import { FormScanner } from '../dialects/form-scanner.ts';
import type { HeldBody } from './held-body.ts';

/** Reads a form as it comes: what it says is kept, its bytes are put into `held`. Throws `invalid_request`. */
export const readForm = async (
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  held: HeldBody,
): Promise<Form> => {
  const scanner = new FormScanner(contentType);
  for await (const piece of pieces) {
    scanner.push(piece);
    await held.append(piece);
  }
  return { ...scanner.end(), held };
};
