import { asJson, type Json } from '../wire.ts';
import { firstOf, isText, objectsIn, shown } from './rule.ts';

export const messagesOf = (body: Json): Json[] => objectsIn(body['messages']);
export const blocksOf = (message: Json): Json[] =>
  isText(message['content']) ? [{ type: 'text', text: message['content'] }] : objectsIn(message['content']);

export const idsOf = (message: Json | undefined, type: string, key: string): unknown[] =>
  message === undefined
    ? []
    : blocksOf(message)
        .filter((block) => block['type'] === type)
        .map((block) => block[key]);

/** Merges consecutive messages of one role. */
export const turnsOf = (body: Json): Json[] => {
  const turns: { role: unknown; content: Json[] }[] = [];
  for (const message of messagesOf(body)) {
    const last = turns.at(-1);
    if (last?.role === message['role']) last?.content.push(...blocksOf(message));
    else turns.push({ role: message['role'], content: blocksOf(message) });
  }
  return turns;
};

export const wrongResults = (body: Json): string | undefined => {
  const turns = turnsOf(body);
  const isContinued = asJson(body['thread'])['type'] === 'continue';
  return (
    firstOf(turns, (turn, at) => {
      // The maker stores what the thread continues.
      if (isContinued && at === 0) return undefined;
      const called = new Set(idsOf(turns[at - 1], 'tool_use', 'id'));
      const answered = new Set(idsOf(turn, 'tool_result', 'tool_use_id'));
      const foreign = [...answered].find((id) => !called.has(id));
      if (foreign !== undefined)
        return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${shown(foreign)}`;
      const missing = [...called].find((id) => !answered.has(id));
      return missing === undefined
        ? undefined
        : `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${shown(missing)}`;
    }) ??
    (idsOf(turns.at(-1), 'tool_use', 'id').length > 0
      ? 'the last `tool_use` has no `tool_result`'
      : undefined)
  );
};

/** A result that comes after something else in its turn. */
export const lateResults = (body: Json): string | undefined =>
  firstOf(turnsOf(body), (turn, at) => {
    const kinds = blocksOf(turn).map(({ type }) => type);
    return kinds.lastIndexOf('tool_result') < kinds.filter((type) => type === 'tool_result').length
      ? undefined
      : `messages.${at}: \`tool_result\` blocks must come first in the content`;
  });
