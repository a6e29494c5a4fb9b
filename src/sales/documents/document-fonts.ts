import createBidi from 'bidi-js';
import { openSync, type Font } from 'fontkit';
import type PDFKit from 'pdfkit';
import type { Language } from '../../platform/languages';

export type Weight = 'regular' | 'bold';

interface FontFiles {
  regular: string;
  bold: string;
}

const LATIN: FontFiles = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
const JAPANESE: FontFiles = {
  regular: require.resolve('@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf'),
};
const HAN =
  require.resolve('@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf');
const KOREAN: FontFiles = {
  regular: require.resolve('@openfonts/noto-sans-kr_korean/files/noto-sans-kr-korean-400.woff'),
  bold: require.resolve('@openfonts/noto-sans-kr_korean/files/noto-sans-kr-korean-700.woff'),
};

const DEVANAGARI: FontFiles = {
  regular:
    require.resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf'),
};
const THAI: FontFiles = {
  regular: require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
};
const EMOJI: FontFiles = {
  regular: require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf'),
};

/** The font of a document without text. */
export const DEFAULT_FONT = LATIN.regular;

/** The first font that has a character shows it. The Chinese one has no bold letters. */
const OTHERS: readonly FontFiles[] = [{ regular: HAN, bold: HAN }, KOREAN, DEVANAGARI, THAI, EMOJI];
const CHAIN: readonly FontFiles[] = [LATIN, JAPANESE, ...OTHERS];
const JAPANESE_CHAIN: readonly FontFiles[] = [JAPANESE, LATIN, ...OTHERS];

/** Part of a line in one font and one direction. */
interface Run {
  file: string;
  /** As it is read. */
  text: string;
  isRightToLeft: boolean;
}

export interface TextStyle {
  weight: Weight;
  size: number;
}

/**
 * Measures, wraps and writes text of any language: each character, with its marks, in the first font that has it. Fonts are read when
 * a text needs them, and embedded with the characters that are used.
 */
export class TextWriter {
  private readonly chain: readonly FontFiles[];

  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    locale: Language,
  ) {
    this.chain = locale === 'ja' ? JAPANESE_CHAIN : CHAIN;
  }

  /** Splits a text into lines that fit the width. Lines break at spaces, and between Chinese and Japanese characters as JIS X 4051 permits. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    return clean(text)
      .split('\n')
      .flatMap((line) => this.wrapLine(line, width, style));
  }

  /** Writes one line with its left or right end at `x`. `y` is the baseline. */
  write(
    text: string,
    { x, y, align = 'left' }: { x: number; y: number; align?: 'left' | 'right' },
    style: TextStyle,
  ): void {
    let left = align === 'right' ? x - this.measure(text, style) : x;
    for (const run of this.split(clean(text), style.weight)) {
      const options = optionsOf(run);
      this.pdf.font(run.file).fontSize(style.size);
      this.pdf.text(run.text, left, y, { ...options, lineBreak: false, baseline: 'alphabetic' });
      left += this.pdf.widthOfString(run.text, options);
    }
  }

  measure(text: string, { weight, size }: TextStyle): number {
    return this.split(clean(text), weight).reduce(
      (width, run) => width + this.pdf.font(run.file).fontSize(size).widthOfString(run.text, optionsOf(run)),
      0,
    );
  }

  private wrapLine(line: string, width: number, style: TextStyle): string[] {
    if (this.measure(line, style) <= width) return [line];
    const lines: string[] = [];
    let current = '';
    for (const part of line.match(BREAKABLE) ?? []) {
      if (current !== '' && this.measure((current + part).trimEnd(), style) > width) {
        lines.push(current.trimEnd());
        current = '';
      }
      current += current === '' ? part.trimStart() : part;
      // A word that is wider than the line.
      while (this.measure(current.trimEnd(), style) > width && current.length > 1) {
        const head = this.fitHead(current, width, style);
        lines.push(head);
        current = current.slice(head.length);
      }
    }
    return current === '' ? lines : [...lines, current.trimEnd()];
  }

  private fitHead(text: string, width: number, style: TextStyle): string {
    const characters = splitCharacters(text);
    let head = characters[0] ?? '';
    for (const character of characters.slice(1)) {
      if (this.measure(head + character, style) > width) break;
      head += character;
    }
    return head;
  }

  /** Returns the runs of a line from left to right. */
  private split(line: string, weight: Weight): Run[] {
    return splitDirections(line).flatMap(({ text, isRightToLeft }) => {
      const runs: Run[] = [];
      for (const character of splitCharacters(text)) {
        const last = runs.at(-1);
        const file = this.findFont(character, weight);
        if (last?.file === file) last.text += character;
        else runs.push({ file, text: character, isRightToLeft });
      }
      return isRightToLeft ? runs.reverse() : runs;
    });
  }

  private findFont(character: string, weight: Weight): string {
    const points = [...character.replace(INVISIBLE, '')].map((part) => part.codePointAt(0) ?? 0);
    // The Greek and Cyrillic letters of Japanese fonts are as wide as ideographs.
    const chain = /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character) ? CHAIN : this.chain;
    const hasGlyphs = ({ regular }: FontFiles, needed: readonly number[]): boolean =>
      needed.every((point) => openFont(regular).hasGlyphForCodePoint(point));
    const files =
      chain.find((font) => hasGlyphs(font, points)) ??
      chain.find((font) => hasGlyphs(font, points.slice(0, 1)));
    return (files ?? LATIN)[weight];
  }
}

/** The font turns a run from right to left around as a whole only if it lays it out as a whole, as it does if features are given. */
const optionsOf = ({ isRightToLeft }: Run): { features?: [] } => (isRightToLeft ? { features: [] } : {});

const bidi = createBidi();
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Returns the parts of a line from left to right, each as it is read (Unicode UAX 9). */
export function splitDirections(line: string): Omit<Run, 'file'>[] {
  if (!RIGHT_TO_LEFT.test(line)) return [{ text: line, isRightToLeft: false }];
  const levels = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels);
  const parts: Omit<Run, 'file'>[] = [];
  let before = -2;
  for (const index of bidi.getReorderedIndices(line, levels)) {
    const isRightToLeft = (levels.levels[index] ?? 0) % 2 === 1;
    const character = mirrored.get(index) ?? line.charAt(index);
    const last = parts.at(-1);
    if (last?.isRightToLeft !== isRightToLeft || index !== before + (isRightToLeft ? -1 : 1))
      parts.push({ text: character, isRightToLeft });
    else last.text = isRightToLeft ? character + last.text : last.text + character;
    before = index;
  }
  return parts;
}

/** Of what most lines consist: each of these letters is a character. The segmenter takes half of the time of a document. */
const LATIN_ONLY = /^[\0-\u02ff]*$/;

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the characters as readers count them: letters with their marks, and emoji that consist of several. */
function splitCharacters(text: string): string[] {
  return LATIN_ONLY.test(text) ? [...text] : Array.from(CHARACTERS.segment(text), ({ segment }) => segment);
}

/** Parts of characters that only choose a form; fonts have no glyphs for most of them. */
const INVISIBLE = /(?!^)[\p{Variation_Selector}\p{Join_Control}]/gu;

/** Characters between which lines may break. */
const IDEOGRAPHS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef`;
/** Characters that no Japanese line may end with, and characters that none may begin with (JIS X 4051). */
const OPENING = '「『（［｛【〈《〔‘“(\\[';
const CLOSING =
  '、。，．・：；？！」』）］｝】〉》〕’”ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞヽヾ％…〜～),.!?:;%\\]';

/** Ideographs and kana one by one, other text by words, both with the brackets and punctuation around them and the spaces after them. */
const BREAKABLE = new RegExp(
  `[${OPENING}]*(?:[${IDEOGRAPHS}]\\p{M}*|[^\\s${IDEOGRAPHS}]+)[${CLOSING}]*\\s*|\\s+`,
  'gu',
);

const opened = new Map<string, Font>();

function openFont(file: string): Font {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const font = openSync(file);
  // A collection has several fonts; these files have one each.
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${file} is a collection of fonts`);
  opened.set(file, font);
  return font;
}

/**
 * Control characters have no glyph, and invisible ones would show as boxes. Some languages group digits with spaces that fonts
 * lack. Lines would break between a letter and a mark that is a character of its own, as files of macOS have them.
 */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[\u202f\u2009]/g, '\u00a0')
    .replace(MARKED_LETTERS, (letter) => letter.normalize('NFC'));
}

/** Without ideographs: normalized, the variants of names would become the common forms. */
const MARKED_LETTERS = /(?!\p{Script=Han})\P{M}\p{M}+/gu;
