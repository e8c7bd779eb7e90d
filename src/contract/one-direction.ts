/** What turns the direction of all that follows it on its line (UAX #9, 2.1 and 2.2). Letters need none of it. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A name as it may stand in a sentence, a mail or a command: it turns nothing around that stands behind it. */
export const inOneDirection = (text: string): string => text.replaceAll(TURNS, '');
