import { lazy } from 'react';
import { loadTexts } from '../../../lib/text/i18n.ts';

/** The personal tab; its texts load beside its code. */
const PersonalTab = lazy(async () => {
  const [panels] = await Promise.all([import('./personal-panels.tsx'), loadTexts('personal')]);
  return panels;
});

export default PersonalTab;
