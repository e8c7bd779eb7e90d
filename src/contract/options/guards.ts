import { role } from '../codes.ts';
import type { Guard } from './option.ts';

interface GuardRule {
  /** The lowest role that may set it. */
  readonly leastRole: number;
  /** Everybody below this role must have proved their identity within ten minutes. Access tokens cannot prove it. */
  readonly proofBelow: number;
}

/** What each class of options requires of whoever sets one. */
const guardRules: Readonly<Record<Guard, GuardRule>> = {
  daily: { leastRole: role.admin, proofBelow: 0 },
  house: { leastRole: role.admin, proofBelow: role.root },
  trust: { leastRole: role.root, proofBelow: Number.MAX_SAFE_INTEGER },
};

/** A higher role may do all that lower ones may. */
export const maySetOption = (actor: { readonly role: number }, guard: Guard): boolean =>
  actor.role >= guardRules[guard].leastRole;

/** Whether setting an option of this class requires a fresh proof of identity from this role. */
export const needsProofToSet = (actor: { readonly role: number }, guard: Guard): boolean =>
  actor.role < guardRules[guard].proofBelow;
