import type { Palette } from './colors';
import { box, circle, group, line, oval, path, repeated } from './shapes';

export function notebook(tone: Palette): string {
  return group(
    'rotate(-6 400 400)',
    box([250, 176, 324, 460], '#f3eee2', 10) +
      repeated(5, (index) => line(`M572 ${200 + index * 4} V628`, { color: '#d8d0bd', width: 1 })) +
      box([232, 168, 324, 460], tone.main, 14) +
      box([232, 168, 54, 460], tone.dark, 14) +
      line('M500 168 V628', { color: tone.darker, width: 14 }) +
      box([326, 262, 140, 92], '#f7f2e6', 6) +
      line('M350 300 H442 M350 326 H418', { color: tone.main, width: 6 }) +
      path('M420 628 h26 v62 l-13 -16 l-13 16 Z', tone.darker),
  );
}

export function notebookTrio(tone: Palette): string {
  const book = (cover: string, spine: string) =>
    box([0, 0, 250, 350], cover, 8) +
    box([0, 0, 34, 350], spine, 8) +
    line('M70 70 H200 M70 96 H160', { color: '#fbf7ee', width: 7, opacity: 0.8 });
  return (
    group('translate(330 206) rotate(11)', book(tone.lighter, tone.light)) +
    group('translate(278 214) rotate(1)', book(tone.light, tone.main)) +
    group('translate(200 252) rotate(-9)', book(tone.main, tone.dark))
  );
}

export function pen(tone: Palette): string {
  return group(
    'rotate(42 400 400)',
    box([376, 130, 48, 250], tone.main, 22) +
      box([376, 130, 16, 250], tone.lighter, 8) +
      box([412, 150, 14, 176], tone.darker, 6) +
      box([372, 372, 56, 20], tone.darker, 4) +
      path('M378 392 H422 L414 560 H386 Z', tone.main) +
      path('M378 392 H392 L396 560 H386 Z', tone.lighter) +
      path('M386 560 H414 L404 640 Q400 652 396 640 Z', '#e4e0d6') +
      line('M400 584 V636', { color: '#6d6a64', width: 3 }),
  );
}

export function pencils(tone: Palette): string {
  const shades = [tone.darker, tone.dark, tone.main, tone.light, tone.lighter];
  const pencil = (color: string) =>
    box([-22, 0, 44, 330], color) +
    box([-22, 0, 14, 330], '#ffffff22') +
    path('M-22 0 L0 -84 L22 0 Z', '#ecd3ab') +
    path('M-8 -54 L0 -84 L8 -54 Z', color) +
    box([-22, 330, 44, 24], '#b9bcc0') +
    box([-22, 352, 44, 40], '#d98c86', 8);
  const fan = shades.map((color, index) =>
    group(
      `translate(${256 + index * 72} ${236 + Math.abs(index - 2) * 16}) rotate(${(index - 2) * 4})`,
      pencil(color),
    ),
  );
  return fan.join('');
}

export function planner(tone: Palette): string {
  const days = repeated(28, (index) =>
    box(
      [270 + (index % 7) * 40, 356 + Math.floor(index / 7) * 56, 28, 40],
      index % 9 === 4 ? tone.main : '#e5dfd0',
      5,
    ),
  );
  const rings = repeated(8, (index) => line(`M${272 + index * 37} 186 v48`, { color: '#8d9297', width: 9 }));
  return (
    box([228, 212, 344, 420], '#faf6ec', 12) +
    box([228, 212, 344, 100], tone.main, 12) +
    line('M264 272 H420', { color: '#fbf7ee', width: 14 }) +
    days +
    rings
  );
}

export function tapeSet(tone: Palette): string {
  const roll = (cx: number, cy: number, color: string) =>
    oval([cx, cy + 56, 112, 46], color) +
    box([cx - 112, cy, 224, 56], color) +
    oval([cx, cy, 112, 46], '#f2ece0') +
    oval([cx, cy, 92, 36], color) +
    oval([cx, cy, 56, 21], '#8a6f56');
  return (
    roll(400, 476, tone.dark) +
    roll(400, 392, tone.main) +
    roll(400, 308, tone.lighter) +
    path('M500 320 q90 20 96 120 l-34 -8 q-8 -66 -72 -84 Z', tone.lighter)
  );
}

export function letterKit(tone: Palette): string {
  const sheet =
    box([276, 170, 250, 320], '#fbf7ec', 6) +
    repeated(6, (index) =>
      line(`M306 ${220 + index * 38} H${index === 5 ? 410 : 496}`, { color: tone.lighter, width: 6 }),
    );
  return (
    group('rotate(5 400 320)', sheet) +
    box([196, 340, 408, 266], tone.main, 10) +
    path('M196 350 L400 494 L604 350 L604 606 H196 Z', tone.light) +
    path('M196 606 L360 466 L400 494 L440 466 L604 606 Z', tone.dark, 0.55) +
    circle(400, 496, 36, '#b4573a') +
    circle(400, 496, 24, '#c96f52')
  );
}

export function deskTray(tone: Palette): string {
  return (
    path('M150 470 L270 370 H650 L560 470 Z', tone.light) +
    path('M186 462 L282 384 H622 L548 462 Z', tone.darker) +
    path('M150 470 H560 V560 Q560 574 546 574 H164 Q150 574 150 560 Z', tone.main) +
    path('M560 470 L650 370 V452 Q650 462 642 472 L560 572 Z', tone.dark) +
    line('M170 500 Q300 488 540 506 M170 540 Q360 526 540 546', {
      color: tone.dark,
      width: 4,
      opacity: 0.6,
    }) +
    group('translate(306 412) rotate(-14)', box([0, -14, 220, 18], '#c9a24d', 8)) +
    circle(318, 440, 15, '#e4e0d6') +
    box([470, 398, 80, 40], '#f3eee2', 6)
  );
}

export function giftCard(tone: Palette): string {
  return group(
    'rotate(-7 400 400)',
    box([160, 252, 480, 300], tone.main, 28) +
      path('M160 400 L360 252 H520 L160 516 Z', tone.light, 0.55) +
      box([470, 252, 46, 300], tone.lighter) +
      box([160, 390, 480, 40], tone.lighter) +
      path('M493 404 Q420 300 404 352 Q400 392 493 410 Q584 392 582 352 Q566 300 493 404 Z', tone.darker) +
      circle(493, 408, 22, tone.dark),
  );
}
