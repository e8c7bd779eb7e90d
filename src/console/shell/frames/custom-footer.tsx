import { cleanHtml } from '../../kit/clean-content.ts';

/** An admin's HTML, without anything that runs, covers the page or restyles it. */
const CustomFooter = ({ html }: { readonly html: string }) => (
  <div className="footer-custom" dangerouslySetInnerHTML={{ __html: cleanHtml(html) }} />
);

export default CustomFooter;
