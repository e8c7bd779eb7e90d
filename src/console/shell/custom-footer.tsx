import DOMPurify from 'dompurify';

/** HTML that an admin wrote; scripts, styles and forms are taken out. */
const CustomFooter = ({ html }: { readonly html: string }) => (
  <div
    dangerouslySetInnerHTML={{
      __html: DOMPurify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'iframe'] }),
    }}
  />
);

export default CustomFooter;
