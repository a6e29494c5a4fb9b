import type { Palette } from './colors';
import { box, circle, clipped, group, line, oval, path, repeated } from './shapes';

export function candle(tone: Palette): string {
  const jar = 'M270 330 H530 V606 Q530 650 486 650 H314 Q270 650 270 606 Z';
  return (
    path('M400 178 Q448 240 424 278 Q400 300 376 278 Q356 240 400 178 Z', '#f2b84b') +
    path('M400 222 Q420 254 410 274 Q400 282 390 274 Q382 254 400 222 Z', '#fbe6a8') +
    line('M400 276 V330', { color: '#4b3a2f', width: 6 }) +
    path(jar, tone.main) +
    clipped('jar', jar, path('M462 320 H540 V660 H450 Q492 490 462 320 Z', tone.dark, 0.45)) +
    oval([400, 330, 130, 30], tone.lighter) +
    oval([400, 332, 112, 22], '#f6ecd8') +
    box([314, 430, 172, 126], '#f7f2e6', 8) +
    path('M400 456 q34 30 0 74 q-34 -44 0 -74 Z', tone.dark)
  );
}

export function cushion(tone: Palette): string {
  const outline = 'M182 210 Q400 244 618 210 Q590 400 618 614 Q400 580 182 614 Q210 400 182 210 Z';
  const weave = repeated(12, (index) =>
    line(`M${150 + index * 46} 190 L${210 + index * 36} 630`, { color: tone.light, width: 7, opacity: 0.5 }),
  );
  return (
    path(outline, tone.main) +
    clipped('cushion', outline, weave + path('M520 200 H640 V630 H540 Q580 400 520 200 Z', tone.dark, 0.35)) +
    line(outline, { color: tone.dark, width: 9 })
  );
}

export function throwBlanket(tone: Palette): string {
  const fringe = repeated(22, (index) =>
    line(`M${190 + index * 20} 590 v46`, { color: tone.lighter, width: 6 }),
  );
  const checks =
    repeated(6, (index) => box([210 + index * 72, 250, 20, 350], tone.lighter)) +
    repeated(4, (index) => box([170, 290 + index * 84, 460, 16], tone.dark));
  const outline = 'M180 290 Q180 250 220 250 H580 Q620 250 620 290 V592 H180 Z';
  return (
    path('M206 216 Q206 186 240 186 H560 Q594 186 594 216 V280 H206 Z', tone.dark) +
    path(outline, tone.main) +
    clipped('throw', outline, `<g opacity="0.55">${checks}</g>`) +
    fringe +
    line('M186 340 Q400 372 614 340', { color: tone.darker, width: 5, opacity: 0.4 })
  );
}

export function planter(tone: Palette): string {
  const leaf = 'M0 0 Q-64 -110 0 -220 Q64 -110 0 0 Z';
  const leaves = [-58, -30, 0, 30, 58].map((angle, index) =>
    group(
      `translate(400 420) rotate(${angle})`,
      path(leaf, index % 2 === 0 ? '#5d8257' : '#76996b') +
        line('M0 -8 V-196', { color: '#3f6344', width: 4 }),
    ),
  );
  const pot = 'M262 410 H538 L508 632 Q504 656 480 656 H320 Q296 656 292 632 Z';
  return (
    leaves.join('') +
    path(pot, tone.main) +
    clipped('pot', pot, path('M462 400 H560 V670 H440 Q490 530 462 400 Z', tone.dark, 0.4)) +
    box([246, 386, 308, 58], tone.light, 14)
  );
}

export function lamp(tone: Palette): string {
  return (
    oval([400, 380, 300, 280], 'url(#glow)') +
    box([388, 380, 24, 250], '#8a6a4a') +
    oval([400, 640, 118, 24], '#6f5237') +
    oval([400, 630, 118, 22], '#8a6a4a') +
    path('M316 170 H484 L572 400 Q400 432 228 400 Z', tone.main) +
    path('M440 170 H484 L572 400 Q520 412 470 415 Z', tone.dark, 0.4) +
    oval([400, 170, 84, 14], tone.lighter) +
    line('M228 400 Q400 432 572 400', { color: tone.darker, width: 6, opacity: 0.5 }) +
    line('M470 420 V494', { color: '#c9a24d', width: 5 }) +
    circle(470, 500, 9, '#c9a24d')
  );
}

export function wallClock(tone: Palette): string {
  const marks = repeated(12, (index) =>
    group(`rotate(${index * 30} 400 400)`, box([395, 212, 10, index % 3 === 0 ? 40 : 22], tone.darker, 4)),
  );
  return (
    circle(400, 400, 244, tone.dark) +
    circle(400, 396, 236, tone.main) +
    circle(400, 400, 204, '#f8f4ea') +
    marks +
    group('rotate(-58 400 400)', box([392, 276, 16, 136], tone.darker, 8)) +
    group('rotate(52 400 400)', box([394, 228, 12, 184], tone.darker, 6)) +
    group('rotate(160 400 400)', box([397, 240, 6, 190], '#b4573a', 3)) +
    circle(400, 400, 16, tone.darker)
  );
}

export function vase(tone: Palette): string {
  const body =
    'M356 300 Q360 350 300 416 Q236 500 284 600 Q306 656 400 656 Q494 656 516 600 Q564 500 500 416 Q440 350 444 300 Z';
  const stem = (d: string) => line(d, { color: '#7c8a5a', width: 6 });
  const bloom = (x: number, y: number) =>
    repeated(6, (index) => group(`rotate(${index * 60} ${x} ${y})`, oval([x, y - 26, 14, 26], '#e8d9a8'))) +
    circle(x, y, 13, '#b98a3c');
  return (
    stem('M396 310 Q380 230 324 168 M404 310 Q404 220 408 134 M410 310 Q440 240 486 186') +
    bloom(324, 164) +
    bloom(408, 128) +
    bloom(488, 182) +
    path(body, tone.main) +
    clipped(
      'vase',
      body,
      path('M440 290 Q430 360 486 430 Q530 520 450 660 H580 V290 Z', tone.dark, 0.4) +
        box([230, 540, 340, 24], tone.light) +
        box([230, 580, 340, 10], tone.light),
    ) +
    oval([400, 300, 46, 11], tone.darker)
  );
}

export function servingBoard(tone: Palette): string {
  const outline =
    'M290 250 Q290 220 320 220 H366 V150 Q366 112 400 112 Q434 112 434 150 V220 H480 Q510 220 510 250 V640 Q510 676 474 676 H326 Q290 676 290 640 Z';
  const grain = repeated(7, (index) =>
    line(`M${306 + index * 32} 226 Q${290 + index * 36} 440 ${310 + index * 31} 676`, {
      color: tone.dark,
      width: 5,
      opacity: 0.45,
    }),
  );
  return group(
    'rotate(14 400 400)',
    path(outline, tone.main) +
      clipped('board', outline, grain) +
      circle(400, 158, 16, tone.darker) +
      line('M400 158 Q360 90 330 84', { color: '#7a5439', width: 9 }),
  );
}

export function teaTowels(tone: Palette): string {
  const towel = (x: number, base: string, stripe: string) =>
    box([x, 230, 200, 400], base, 8) +
    box([x, 520, 200, 18], stripe) +
    box([x, 552, 200, 8], stripe) +
    box([x, 300, 200, 8], stripe) +
    line(`M${x + 66} 236 V624 M${x + 134} 236 V624`, { color: stripe, width: 3, opacity: 0.5 });
  return (
    box([150, 206, 500, 22], '#8a6a4a', 11) +
    towel(190, tone.main, tone.lighter) +
    towel(410, '#f6f1e4', tone.main) +
    circle(150, 217, 18, '#6f5237') +
    circle(650, 217, 18, '#6f5237')
  );
}
