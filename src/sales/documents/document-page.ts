import type PDFKit from 'pdfkit';

/** Fonts with Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters and all currency symbols. */
const FONTS = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const LEFT = 50;
const WIDTH = 495;
/** The columns of the table: offset and width, in points. */
const COLUMNS = [
  { title: 'Item', at: 0, width: 265, align: 'left' },
  { title: 'Quantity', at: 270, width: 55, align: 'right' },
  { title: 'Price', at: 330, width: 75, align: 'right' },
  { title: 'Amount', at: 410, width: 85, align: 'right' },
] as const;
const BOTTOM = 780;

/** Writes the parts of a document below each other, on as many pages as needed. */
export class DocumentPage {
  constructor(private readonly pdf: PDFKit.PDFDocument) {
    this.setFont('regular', 9);
  }

  lines(texts: readonly string[]): void {
    for (const text of texts) this.pdf.text(clean(text), LEFT, undefined, { width: WIDTH });
  }

  title(text: string): void {
    this.pdf.moveDown(1.5);
    this.setFont('bold', 16);
    this.lines([text]);
    this.setFont('regular', 9);
    this.pdf.moveDown(0.5);
  }

  /** Writes `name: value` lines; those without a value are omitted. */
  facts(facts: readonly (readonly [name: string, value: string | null])[]): void {
    this.lines(
      facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}: ${value}`])),
    );
  }

  /** Writes a heading with lines below it, unless there are none. */
  block(heading: string, texts: readonly string[]): void {
    if (texts.length === 0) return;
    this.pdf.moveDown();
    this.setFont('bold', 9);
    this.lines([heading]);
    this.setFont('regular', 9);
    this.lines(texts);
  }

  table(rows: readonly (readonly string[])[]): void {
    this.pdf.moveDown(1.5);
    this.setFont('bold', 9);
    this.row(COLUMNS.map(({ title }) => title));
    this.setFont('regular', 9);
    for (const row of rows) this.row(row);
    this.pdf.moveDown();
  }

  /** Writes one line of the totals. */
  sum(label: string, amount: string, { isTotal = false } = {}): void {
    if (isTotal) this.setFont('bold', 11);
    this.row([label, '', '', amount], [405, 0, 0, 85]);
    this.setFont('regular', 9);
  }

  private row(cells: readonly string[], widths: readonly number[] = COLUMNS.map(({ width }) => width)): void {
    const height = Math.max(
      ...cells.map((cell, index) =>
        this.pdf.heightOfString(clean(cell) || ' ', { width: widths[index] || WIDTH }),
      ),
    );
    if (this.pdf.y + height > BOTTOM) this.pdf.addPage();
    const top = this.pdf.y;
    cells.forEach((cell, index) => {
      const column = COLUMNS[index];
      if (column === undefined || cell === '') return;
      this.pdf.text(clean(cell), LEFT + column.at, top, { width: widths[index], align: column.align });
    });
    this.pdf.x = LEFT;
    this.pdf.y = top + height + 3;
  }

  private setFont(weight: keyof typeof FONTS, size: number): void {
    this.pdf.font(FONTS[weight]).fontSize(size);
  }
}

/** Control characters have no glyph. Lines of an issuer stay lines. */
function clean(text: string): string {
  // eslint-disable-next-line no-control-regex -- removes them
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
}
