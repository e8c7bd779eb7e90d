import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';

// Containers in which an upstream runs code: OpenAI's `cntr_…`, Anthropic's `container_…`. A call creates one, its
// answer names it, and later requests refer to it. It belongs to the user whose call created it, because the upstream's
// account is shared.

/** A container that a request names. */
export interface NamedContainer {
  readonly id: string;
  /** The path of the field. */
  readonly param: string;
  /** In what an upstream said earlier, which may have been to another gateway. */
  readonly isSaid: boolean;
}

/** More than a conversation has; each is looked up. */
const MOST_CONTAINERS = 100;

/** Adds one that is not there yet. False if there are too many. */
export const addContainer = (containers: NamedContainer[], added: NamedContainer): boolean => {
  if (containers.some(({ id, isSaid }) => id === added.id && isSaid === added.isSaid)) return true;
  if (containers.length >= MOST_CONTAINERS) return false;
  containers.push(added);
  return true;
};

/** `container` is also a word for kinds of files: `mp3`, `quicktime`. */
export const isContainerId = (text: string): boolean => /[_-]|.{10}/s.test(text);

/** The error for a field that names a container which none of the caller's answers named. */
export const containerRefused = (param: string): AppError =>
  new AppError(
    'invalid_request',
    `'${param}' names a container that was not created by a call of yours: let the upstream create one`,
    { param, reason: 'account_object' },
  );

/** The container in which an output item of OpenAI's ran. */
export const containerOfItem = (item: Fields): string | undefined =>
  textOf(item['container_id']) ?? textOf(fieldsOf(item['environment'])['container_id']);

/** The containers in which the output of a response ran, each once. */
export const containersOfOutput = (output: unknown): readonly string[] => {
  const ids = new Set(listOf(output).map((item) => containerOfItem(fieldsOf(item))));
  ids.delete(undefined);
  return [...ids].filter((id) => id !== undefined);
};
