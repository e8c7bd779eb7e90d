import { role } from '../codes.ts';
import type { Guard } from './option.ts';

interface GuardRule {
  /** Who may set it at all. */
  readonly leastRole: number;
  /** Who must have proved within ten minutes who it is: everybody below this rank. Access tokens cannot prove anything. */
  readonly proofBelow: number;
}

/** What each class of options asks of whoever sets one. */
const guardRules: Readonly<Record<Guard, GuardRule>> = {
  daily: { leastRole: role.admin, proofBelow: 0 },
  house: { leastRole: role.admin, proofBelow: role.root },
  trust: { leastRole: role.root, proofBelow: Number.MAX_SAFE_INTEGER },
};

/** Ranks are numbers: whoever stands higher may what those below may. */
export const maySetOption = (actor: { readonly role: number }, guard: Guard): boolean =>
  actor.role >= guardRules[guard].leastRole;

/** Whether setting an option of this class asks somebody of this rank for a fresh proof. */
export const needsProofToSet = (actor: { readonly role: number }, guard: Guard): boolean =>
  actor.role < guardRules[guard].proofBelow;
