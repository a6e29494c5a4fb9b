import type PDFKit from 'pdfkit';

const NAME = 'factur-x.xml';

/** What a PDF must be created with to be PDF/A-3, in which files may be embedded. */
export const ARCHIVABLE = { subset: 'PDF/A-3b', pdfVersion: '1.7', tagged: false } as const;

/** The declaration of the properties below, which PDF/A demands, and their values (Factur-X 1.0, chapter 6). */
const METADATA = `
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
      <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
      <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>fx</pdfaSchema:prefix>
      <pdfaSchema:property><rdf:Seq>
        ${[
          ['DocumentFileName', 'The name of the embedded XML document'],
          ['DocumentType', 'The type of the hybrid document'],
          ['Version', 'The version of the XML data'],
          ['ConformanceLevel', 'The conformance level of the XML data'],
        ]
          .map(
            ([name, description]) => `<rdf:li rdf:parseType="Resource">
          <pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
          <pdfaProperty:category>external</pdfaProperty:category>
          <pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
          )
          .join('\n        ')}
      </rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
    <fx:DocumentType>INVOICE</fx:DocumentType>
    <fx:DocumentFileName>${NAME}</fx:DocumentFileName>
    <fx:Version>1.0</fx:Version>
    <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>`;

/** Embeds the XML of an electronic invoice into a PDF that was created with `ARCHIVABLE`. */
export function embedEinvoice(pdf: PDFKit.PDFDocument, xml: string, created: Date): void {
  // The types of PDFKit do not know the relationship and the metadata.
  const options: PDFKit.Mixins.PDFAttachmentOptions & { relationship: string } = {
    name: NAME,
    type: 'text/xml',
    relationship: 'Alternative',
    description: 'Factur-X',
    creationDate: created,
    modifiedDate: created,
  };
  pdf.file(Buffer.from(xml), options);
  (pdf as PDFKit.PDFDocument & { appendXML: (xml: string) => void }).appendXML(METADATA);
}

/** Returns text for the properties of a PDF, whose metadata the library writes as XML without escaping it. */
export function toProperty(text: string): string {
  return text.replaceAll('&', '+').replace(/[<>]/g, ' ');
}
