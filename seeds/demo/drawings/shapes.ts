/** SVG fragments on a canvas of 800 x 800. They contain no text, because the output would depend on installed fonts. */

export const CANVAS = 800;

export interface Stroke {
  readonly color: string;
  readonly width: number;
  readonly opacity?: number;
  readonly dashes?: string;
}

export function path(d: string, fill: string, opacity = 1): string {
  return `<path d="${d}" fill="${fill}"${opacityOf(opacity)}/>`;
}

export function line(d: string, { color, width, opacity = 1, dashes }: Stroke): string {
  const dash = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  return (
    `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" ` +
    `stroke-linejoin="round"${dash}${opacityOf(opacity)}/>`
  );
}

/** Draws a rectangle, given as [left, top, width, height], with rounded corners. */
export function box(
  [x, y, width, height]: readonly [number, number, number, number],
  fill: string,
  radius = 0,
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

/** Draws an ellipse, given as [center x, center y, radius x, radius y]. */
export function oval(
  [cx, cy, rx, ry]: readonly [number, number, number, number],
  fill: string,
  opacity = 1,
): string {
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}"${opacityOf(opacity)}/>`;
}

export function circle(cx: number, cy: number, radius: number, fill: string): string {
  return oval([cx, cy, radius, radius], fill);
}

/** Moves, rotates or scales `content`; `transform` is an SVG attribute. */
export function group(transform: string, content: string): string {
  return `<g transform="${transform}">${content}</g>`;
}

/** Clips `content` to the path `d`. `id` must be unique in the picture. */
export function clipped(id: string, d: string, content: string): string {
  return `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${content}</g>`;
}

/** Joins the results of `draw` for 0 .. count - 1. */
export function repeated(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

function opacityOf(opacity: number): string {
  return opacity === 1 ? '' : ` opacity="${opacity}"`;
}
