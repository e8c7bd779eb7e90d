import { cleanHtml } from '../kit/clean-content.ts';

/** HTML that an admin wrote, without what acts, covers or restyles. */
const CustomFooter = ({ html }: { readonly html: string }) => (
  <div className="footer-custom" dangerouslySetInnerHTML={{ __html: cleanHtml(html) }} />
);

export default CustomFooter;
