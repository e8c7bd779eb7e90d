import type { ContentPart } from '#core/chat/request.ts';
import { readSealOfPart } from '#core/chat/signature.ts';
import type { Fields } from '#core/json/fields.ts';

interface Seal {
  readonly kind: string;
  readonly signature: string;
}

/**
 * Puts each signature of a text or picture back on its part: the text before it, or any text if a format sends all
 * thoughts first; the picture with its number.
 */
export const withSeals = (
  content: readonly ContentPart[],
  write: (part: ContentPart) => Fields[],
): Fields[] => {
  const parts: Fields[] = [];
  const waiting: Seal[] = [];
  for (const part of content) {
    const seal = sealIn(part);
    if (seal === undefined) parts.push(...write(part));
    else {
      if (part.type === 'reasoning' && part.text !== '') parts.push({ text: part.text, thought: true });
      if (!seals(parts, seal)) waiting.push(seal);
    }
  }
  for (const seal of waiting)
    if (!seals(parts, seal) && seal.kind === 'text')
      parts.push({ text: '', thoughtSignature: seal.signature });
  return parts;
};

const sealIn = (part: ContentPart): Seal | undefined =>
  part.type === 'reasoning' && part.signatureFrom === 'gemini'
    ? readSealOfPart(part.signature ?? '')
    : undefined;

/** Puts the signature on its part; false if that part is not there (yet). */
const seals = (parts: Fields[], { kind, signature }: Seal): boolean => {
  const at =
    kind === 'text'
      ? parts.findLastIndex((part) => typeof part['text'] === 'string' && part['thought'] !== true)
      : placeOfPicture(parts, Number(kind.replace('image', '')));
  const found = parts[at];
  if (found === undefined) return false;
  parts[at] = { ...found, thoughtSignature: signature };
  return true;
};

const placeOfPicture = (parts: readonly Fields[], number: number): number => {
  const places = parts.flatMap((part, at) =>
    part['inlineData'] === undefined && part['fileData'] === undefined ? [] : [at],
  );
  return places[number] ?? -1;
};
