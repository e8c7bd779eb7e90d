/** The actions of a Midjourney Proxy task; the values are the wire's. */
export type MidjourneyAction =
  | 'IMAGINE'
  | 'UPSCALE'
  | 'VARIATION'
  | 'HIGH_VARIATION'
  | 'LOW_VARIATION'
  | 'PAN'
  | 'DESCRIBE'
  | 'BLEND'
  | 'UPLOAD'
  | 'SHORTEN'
  | 'REROLL'
  | 'INPAINT'
  | 'ZOOM'
  | 'CUSTOM_ZOOM'
  | 'MODAL'
  | 'SWAP_FACE';

/** The model name of an action: channels list it and prices are set for it. */
export const modelOfAction = (action: MidjourneyAction): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`;

/** The first match of a button's id wins: `MJ::JOB::upsample::1::…`. */
const buttons: readonly (readonly [RegExp, MidjourneyAction])[] = [
  [/^MJ::JOB::upsample/, 'UPSCALE'],
  [/^MJ::JOB::reroll/, 'REROLL'],
  [/^MJ::JOB::low_variation/, 'LOW_VARIATION'],
  [/^MJ::JOB::high_variation/, 'HIGH_VARIATION'],
  [/^MJ::JOB::variation/, 'VARIATION'],
  [/^MJ::JOB::pan_/, 'PAN'],
  [/^MJ::CustomZoom/, 'CUSTOM_ZOOM'],
  [/^MJ::Inpaint/, 'INPAINT'],
  [/^MJ::Outpaint/, 'ZOOM'],
  [/^MJ::JOB::.*upscale|^MJ::JOB::upsample_v/i, 'UPSCALE'],
];

/** The action of a button; undefined if unknown. */
export const actionOfButton = (customId: string): MidjourneyAction | undefined =>
  buttons.find(([pattern]) => pattern.test(customId))?.[1];

const changes: Readonly<Record<string, MidjourneyAction>> = {
  UPSCALE: 'UPSCALE',
  VARIATION: 'VARIATION',
  REROLL: 'REROLL',
  U: 'UPSCALE',
  V: 'VARIATION',
  R: 'REROLL',
};

/** `UPSCALE`, `VARIATION` or `REROLL`, as in the change call. */
export const actionOfChange = (word: string): MidjourneyAction | undefined =>
  Object.hasOwn(changes, word.toUpperCase()) ? changes[word.toUpperCase()] : undefined;

/** Parses `<task id> U2`, the change call in one line; undefined if invalid. */
export const readSimpleChange = (
  content: string,
): { readonly taskId: string; readonly action: MidjourneyAction; readonly change: string } | undefined => {
  const read = /^(\S+)\s+(([UV])[1-4]|(R))$/i.exec(content.trim());
  const action = actionOfChange(read?.[3] ?? read?.[4] ?? '');
  if (read === null || action === undefined) return undefined;
  return { taskId: read[1] ?? '', action, change: (read[2] ?? '').toUpperCase() };
};

/** The prompt without its speed options. */
export const withoutModes = (prompt: string): string =>
  prompt.replace(/(?<!\s)\s*--(?:fast|relax|turbo)\b/gi, '').trim();

/** `--repeat 4`, `a {red, green} bird`: of these Midjourney makes a job for each, and tells of one. The dash may be a long one. */
const SEVERAL_JOBS = /(?:--|—)r(?:epeat)?[\s=]+\d|\{[^{},]*,[^{}]*\}/i;

/** Whether a prompt asks for more than the one job that a task is paid for. */
export const asksForSeveral = (prompt: string): boolean => SEVERAL_JOBS.test(prompt);
