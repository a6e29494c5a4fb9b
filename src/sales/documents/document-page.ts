import type PDFKit from 'pdfkit';
import { TextWriter, type TextStyle, type Weight } from './document-fonts';
import { placeColumns, type Cell, type Column } from './document-columns';
import type { Language } from '../../platform/languages';

/** The width of the tables of a page, in points. */
export const TABLE_WIDTH = 483;
const TOP = 56;
/** Below a page whose footer is empty. */
const FOOT = 51;
/** Between the rows of a table and the footer. */
const GAP = 8;
const GREY = '#555555';
const RULE = '#bbbbbb';
/** Between the text of a cell and the next column. */
const CELL_PADDING = 6;

export interface Fact {
  name: string;
  value: string | null | undefined;
}

export interface Sum {
  label: string;
  amount: string;
}

/** Writes the parts of a document below each other, on as many pages as needed. */
export class DocumentPage {
  private readonly text: TextWriter;
  private y = TOP;
  private readonly left: number;
  private readonly right: number;
  /** Where the footer begins if it is empty. */
  private readonly end: number;
  private bottom: number;
  /** The pages on which documents begin, and their titles; several share a file. */
  private readonly starts = [0];
  private readonly titles: string[] = [];

  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    locale: Language,
    private readonly footer: readonly (readonly string[])[],
  ) {
    this.text = new TextWriter(pdf, locale);
    const { width, height } = pdf.page;
    this.left = Math.floor((width - TABLE_WIDTH) / 2);
    this.right = this.left + TABLE_WIDTH;
    this.end = Math.floor(height) - FOOT;
    this.bottom = this.end - this.measureFooter() - GAP;
  }

  /** Writes the seller at the right, beside the logo if there is one. */
  letterhead(lines: readonly string[], logo: Buffer | null): void {
    if (logo !== null) this.pdf.image(logo, this.left, TOP - 10, { fit: [180, 60] });
    const [name = '', ...others] = lines;
    for (const line of this.text.wrap(name, 220, { weight: 'bold', size: 11 })) {
      this.y += 13;
      this.put(line, this.right, { weight: 'bold', size: 11, align: 'right' });
    }
    this.y += 2;
    for (const line of others.flatMap((one) => this.text.wrap(one, 220, { weight: 'regular', size: 8 }))) {
      this.y += 10.5;
      this.put(line, this.right, { weight: 'regular', size: 8, align: 'right', color: GREY });
    }
    this.y = Math.max(this.y, TOP + 50) + 14;
    this.line(RULE, 0.6);
  }

  /** Writes blocks of lines beside each other: addresses and facts. */
  blocks(blocks: readonly { title: string; lines: readonly string[] }[]): void {
    const width = TABLE_WIDTH / Math.max(blocks.length, 1);
    const top = this.y;
    let end = top;
    blocks.forEach(({ title, lines }, index) => {
      const x = this.left + index * width;
      this.y = top + 16;
      this.put(title, x, { weight: 'bold', size: 8, color: GREY });
      for (const line of lines.flatMap((one) =>
        this.text.wrap(one, width - 12, { weight: 'regular', size: 9 }),
      )) {
        this.y += 12.5;
        this.put(line, x, { weight: 'regular', size: 9 });
      }
      end = Math.max(end, this.y);
    });
    this.y = end + 6;
  }

  title(text: string): void {
    this.titles.push(text);
    this.y += 18;
    for (const line of this.text.wrap(text, TABLE_WIDTH, { weight: 'bold', size: 16 })) {
      this.y += 20;
      this.put(line, this.left, { weight: 'bold', size: 16 });
    }
    this.y += 6;
  }

  /** Writes names and values in two columns; facts without a value are omitted. */
  facts(facts: readonly Fact[]): void {
    const shown = facts.flatMap(({ name, value }) =>
      value == null || value === '' ? [] : [{ name, value }],
    );
    const half = Math.ceil(shown.length / 2);
    const width = TABLE_WIDTH / 2;
    const top = this.y;
    let end = top;
    shown.forEach(({ name, value }, index) => {
      if (index === half) this.y = top;
      const x = index < half ? this.left : this.left + width;
      const label = `${name}: `;
      const indent = this.text.measure(label, { weight: 'regular', size: 9 });
      this.y += 13;
      this.put(label, x, { weight: 'regular', size: 9, color: GREY });
      const lines = this.text.wrap(value, Math.max(width - indent - 10, 60), { weight: 'regular', size: 9 });
      lines.forEach((line, place) => {
        if (place > 0) this.y += 12;
        this.put(line, x + indent, { weight: 'regular', size: 9 });
      });
      end = Math.max(end, this.y);
    });
    this.y = end + 10;
  }

  /** Writes a table. Its head is repeated on each page. */
  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    this.tableHead(columns);
    for (const row of rows) {
      const cells = row.map((lines, index) => this.wrapCell(lines, columns[index]?.width ?? 0));
      const height = Math.max(...cells.map((lines) => lines.length)) * 11.5 + 7;
      if (this.y + height > this.bottom) {
        this.nextPage();
        this.tableHead(columns);
      }
      this.tableRow(columns, cells);
      this.y += height;
      this.line(RULE, 0.4);
    }
    this.y += 8;
  }

  /** Writes the amounts of the summary at the right, the total last, together on one page. */
  sums(sums: readonly Sum[], total: Sum): void {
    this.keep(sums.length * 14 + 20);
    const rows = [...sums, total].map((sum, place) => {
      const isTotal = place === sums.length;
      return {
        ...sum,
        isTotal,
        style: { weight: isTotal ? 'bold' : 'regular', size: isTotal ? 11 : 9 } as const,
      };
    });
    const widest = Math.max(...rows.map(({ amount, style }) => this.text.measure(amount, style)));
    const edge = this.right - Math.max(110, widest + 2 * CELL_PADDING);
    for (const { label, amount, isTotal, style } of rows) {
      this.y += isTotal ? 18 : 14;
      this.put(label, edge, { ...style, align: 'right' });
      this.put(amount, this.right, { ...style, align: 'right' });
    }
  }

  /** Writes a heading for what follows it on the same page. */
  heading(text: string, needed = 60): void {
    this.keep(needed);
    this.y += 20;
    this.put(text, this.left, { weight: 'bold', size: 9 });
    this.y += 6;
  }

  /** Writes lines of text over the whole width. */
  paragraph(texts: readonly string[], { small = false } = {}): void {
    const size = small ? 8 : 9;
    for (const line of texts.flatMap((one) =>
      this.text.wrap(one, TABLE_WIDTH, { weight: 'regular', size }),
    )) {
      this.keep(size + 4);
      this.y += size + 3.5;
      this.put(line, this.left, { weight: 'regular', size, color: small ? GREY : '#000000' });
    }
  }

  /** Begins another document in the same file, with its own page numbers. */
  beginNext(): void {
    this.starts.push(this.pdf.bufferedPageRange().count);
    this.pdf.addPage();
    this.y = TOP;
  }

  /** Writes the footer, the number and from the second page on the title of each page, when all pages exist. */
  finish(numberPage: (page: number, pages: number) => string): void {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.pdf.switchToPage(start + index);
      const height = this.measureFooter();
      this.y = this.end - height + 2;
      if (height > 0) this.line(RULE, 0.4);
      this.writeFooter();
      this.y = this.end + 12;
      const [page, pages, title] = this.findPlace(index, count);
      const style = { weight: 'regular', size: 7.5, color: GREY } as const;
      this.put(numberPage(page, pages), this.right, { ...style, align: 'right' });
      if (page > 1) this.put(title, this.left, style);
    }
  }

  /** The number of a page in its document, how many pages that has, and its title. */
  private findPlace(index: number, count: number): [page: number, pages: number, title: string] {
    const start = this.starts.findLast((first) => first <= index) ?? 0;
    const end = this.starts.find((first) => first > index) ?? count;
    return [index - start + 1, end - start, this.titles[this.starts.indexOf(start)] ?? ''];
  }

  private writeFooter(): void {
    const width = TABLE_WIDTH / Math.max(this.footer.length, 1);
    const top = this.y + 2;
    this.footer.forEach((lines, index) => {
      this.y = top;
      for (const line of this.wrapFooter(lines, width)) {
        this.y += 9.5;
        this.put(line, this.left + index * width, { weight: 'regular', size: 7, color: GREY });
      }
    });
  }

  private measureFooter(): number {
    const width = TABLE_WIDTH / Math.max(this.footer.length, 1);
    const lines = Math.max(0, ...this.footer.map((one) => this.wrapFooter(one, width).length));
    return lines === 0 ? 0 : lines * 9.5 + 12;
  }

  private wrapFooter(lines: readonly string[], width: number): string[] {
    return lines.flatMap((line) => this.text.wrap(line, width - 10, { weight: 'regular', size: 7 }));
  }

  /** Returns the width of a column in which a text is on one line. */
  measureCell(text: string): number {
    return this.text.measure(text, { weight: 'regular', size: 9 }) + CELL_PADDING;
  }

  private wrapCell(lines: Cell, width: number): { line: string; isNote: boolean }[] {
    return lines.flatMap((text, place) =>
      this.text
        .wrap(text, width - CELL_PADDING, { weight: 'regular', size: place === 0 ? 9 : 7.5 })
        .map((line) => ({ line, isNote: place > 0 })),
    );
  }

  private tableHead(columns: readonly Column[]): void {
    this.keep(60);
    this.y += 14;
    for (const { column, x } of placeColumns(columns, this.left)) {
      this.put(column.title, x, { weight: 'bold', size: 8, align: column.align });
    }
    this.y += 5;
    this.line('#000000', 0.8);
  }

  private tableRow(
    columns: readonly Column[],
    cells: readonly (readonly { line: string; isNote: boolean }[])[],
  ): void {
    const top = this.y;
    for (const [index, { column, x }] of placeColumns(columns, this.left).entries()) {
      this.y = top + 2;
      for (const { line, isNote } of cells[index] ?? []) {
        this.y += 11.5;
        const style = isNote
          ? ({ size: 7.5, color: GREY } as const)
          : ({ size: 9, color: '#000000' } as const);
        this.put(line, x, { weight: 'regular', ...style, align: column.align });
      }
    }
    this.y = top;
  }

  private put(
    text: string,
    x: number,
    style: TextStyle & { weight: Weight; align?: 'left' | 'right'; color?: string },
  ): void {
    this.pdf.fillColor(style.color ?? '#000000');
    this.text.write(text, { x, y: this.y, align: style.align ?? 'left' }, style);
  }

  private line(color: string, width: number): void {
    this.pdf
      .moveTo(this.left, this.y)
      .lineTo(this.right, this.y)
      .lineWidth(width)
      .strokeColor(color)
      .stroke();
  }

  /** Begins a page unless so much fits. */
  private keep(height: number): void {
    if (this.y + height > this.bottom) this.nextPage();
  }

  private nextPage(): void {
    this.pdf.addPage();
    this.y = TOP - 20;
  }
}
