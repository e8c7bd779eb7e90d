import { role } from './codes.ts';

/** Who may do what to whom: the server obeys these, the console hides what they refuse. */

interface Ranked {
  readonly id: number;
  readonly role: number;
}

export const isAdmin = (actor: { readonly role: number }): boolean => actor.role >= role.admin;
export const isRoot = (actor: { readonly role: number }): boolean => actor.role >= role.root;

/** Reading, changing or deleting another account needs a higher rank; root stands above itself for reading. */
export const mayManageUser = (actor: Ranked, target: Ranked): boolean =>
  isAdmin(actor) && (actor.role > target.role || (isRoot(actor) && actor.id === target.id));

export const mayEditOption = (actor: { readonly role: number }, editor: 'admin' | 'root'): boolean =>
  editor === 'root' ? isRoot(actor) : isAdmin(actor);
