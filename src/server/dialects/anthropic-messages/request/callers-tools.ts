import type { Tool } from '#core/chat/request.ts';
import { type Fields, wordOf } from '#core/json/fields.ts';

const text = (description: string): Fields => ({ type: 'string', description });
const whole = (description: string): Fields => ({ type: 'integer', description });
const point = (description: string): Fields => ({
  type: 'array',
  items: { type: 'integer' },
  description,
});

const object = (properties: Fields, required: readonly string[]): Fields => ({
  type: 'object',
  properties,
  required,
});

const BASH = object(
  {
    command: text('The command to run'),
    restart: { type: 'boolean', description: 'Start the shell anew instead' },
  },
  [],
);

const EDITING = {
  path: text('The file or folder, absolute'),
  file_text: text('For create: what the file is to hold'),
  old_str: text('For str_replace: the text to replace, which stands there once'),
  new_str: text('For str_replace: the text in its place'),
  insert_line: whole('For insert: after which line; 0 for the start'),
  insert_text: text('For insert: the text to insert'),
  view_range: point('For view: the first and the last line; -1 for the end'),
};

const editor = (...commands: readonly string[]): Fields =>
  object({ command: { type: 'string', enum: commands }, ...EDITING }, ['command', 'path']);

const MEMORY = object(
  {
    command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
    ...EDITING,
    old_path: text('For rename: where the file is'),
    new_path: text('For rename: where it is to be'),
  },
  ['command'],
);

const ACTIONS = [
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'screenshot',
  'cursor_position',
];
const LATER_ACTIONS = ['left_mouse_down', 'left_mouse_up', 'triple_click', 'scroll', 'hold_key', 'wait'];

const computer = (actions: readonly string[]): Fields =>
  object(
    {
      action: { type: 'string', enum: actions },
      coordinate: point('Where on the screen: x, y'),
      start_coordinate: point('For left_click_drag: where it begins: x, y'),
      text: text('What to type, or the keys to press'),
      scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
      scroll_amount: whole('How far to scroll'),
      duration: { type: 'number', description: 'How long to wait or to hold, in seconds' },
      ...(actions.includes('zoom') && { region: point('For zoom: x and y of two corners') }),
    },
    ['action'],
  );

interface Known {
  readonly type: RegExp;
  readonly about: string;
  readonly parameters: Fields;
}

/**
 * Tools with a type of this format that the caller runs. Other makers' models get them as ordinary functions
 * (platform.claude.com/docs, bash, text editor, memory and computer use tools).
 */
const KNOWN: readonly Known[] = [
  { type: /^bash_/, about: 'Runs a command in a shell that stays open', parameters: BASH },
  {
    type: /^text_editor_20(?:24|250124)/,
    about: 'Shows and edits files',
    parameters: editor('view', 'create', 'str_replace', 'insert', 'undo_edit'),
  },
  {
    type: /^text_editor_/,
    about: 'Shows and edits files',
    parameters: editor('view', 'create', 'str_replace', 'insert'),
  },
  { type: /^memory_/, about: 'Keeps notes in files from one talk to the next', parameters: MEMORY },
  { type: /^computer_2024/, about: 'Uses a computer', parameters: computer(ACTIONS) },
  {
    type: /^computer_202501/,
    about: 'Uses a computer',
    parameters: computer([...ACTIONS, ...LATER_ACTIONS]),
  },
  {
    // A toolset's calls name one of its members, so it is no function.
    type: /^computer_\d/,
    about: 'Uses a computer',
    parameters: computer([...ACTIONS, ...LATER_ACTIONS, 'zoom']),
  },
];

/** The description and parameters of such a tool as a function; undefined if the upstream runs the tool. */
export const callersTool = (type: string, tool: Fields): Pick<Tool, 'description' | 'parameters'> => {
  const known = KNOWN.find((one) => one.type.test(type));
  if (known === undefined) return {};
  const { display_width_px: width, display_height_px: height } = tool;
  const screen =
    typeof width === 'number' && typeof height === 'number'
      ? `. Its screen is ${wordOf(width)} by ${wordOf(height)} pixels`
      : '';
  return { description: known.about + screen, parameters: known.parameters };
};
