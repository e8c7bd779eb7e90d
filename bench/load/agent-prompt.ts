const CODE = `import { readFile } from 'node:fs/promises';

export const load = async (path: string): Promise<string> => {
\tconst text = await readFile(path, "utf8");
\tif (text.length === 0) throw new Error(\`empty: \${path}\`);
\treturn text.replace(/\\r\\n/g, "\\n"); // line ends → one form
};
`;
const TOOLS = Array.from({ length: 14 }, (_, number) => ({
  type: 'function',
  function: {
    name: `tool_${number}`,
    description: 'Reads a file of this machine. The path must be absolute, and lines are numbered. '.repeat(
      6,
    ),
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where the file is' },
        offset: { type: 'number', description: 'The first line' },
        limit: { type: 'number', description: 'How many lines' },
      },
      required: ['path'],
    },
  },
}));
const SYSTEM = 'You are a coding agent. Look at the files before you change them, and run the tests. '.repeat(
  80,
);

/** A placeholder in the last message, which each call replaces with its own number. */
const TURN = '@turn@';

/**
 * The body of one call of a coding agent, about `bytes` long: instructions, tools, files read so far, and its
 * next task, in two halves around the number of the turn. As in a session, two calls differ only in that number.
 */
export const agentPrompt = (model: string, bytes: number): readonly [string, string] => {
  const messages: unknown[] = [{ role: 'system', content: SYSTEM }];
  const halves = (): string[] =>
    JSON.stringify({
      model,
      messages: [...messages, { role: 'user', content: `Go on with step ${TURN}, please.` }],
      tools: TOOLS,
      max_tokens: 8000,
    }).split(TURN);
  for (let length = halves().join('').length, turn = 0; length < bytes; turn += 1) {
    const before = messages.length;
    const call = {
      name: 'tool_1',
      arguments: JSON.stringify({ path: `/src/app/file-${turn}.ts`, offset: turn }),
    };
    messages.push(
      {
        role: 'assistant',
        content: `Next I look at file ${turn}.`,
        tool_calls: [{ id: `call_${turn}`, type: 'function', function: call }],
      },
      {
        role: 'tool',
        tool_call_id: `call_${turn}`,
        content: Array.from({ length: 6 }, (_, line) => `${turn * 6 + line}\t${CODE}`).join(''),
      },
    );
    length += JSON.stringify(messages.slice(before)).length;
  }
  const [head = '', tail = ''] = halves();
  return [head, tail];
};
